package io.baton.examples;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Subscription;
import io.baton.recipes.Asking;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * A process of the stock service that never answers: at the first attempt it hangs before it has reserved anything, and
 * later behind that. It says so on its standard output.
 */
final class HesitantStock {

    static final String BEGUN = "begun";
    static final String RESERVED = "reserved";

    private HesitantStock() {}

    /** The arguments are the store, and the ttl in milliseconds. */
    public static void main(String[] args) throws InterruptedException {
        Coordinator baton = Coordinator.connect(
                args[0],
                CoordinatorOptions.builder()
                        .ttl(Duration.ofMillis(Long.parseLong(args[1])))
                        .connectTimeout(Duration.ofMinutes(1))
                        .build());
        Subscription unused = Asking.named(baton, "reservations").serve(question -> {
            if (question.attempt() == 1) {
                hang(BEGUN);
            }
            byte[] answer = Reservations.answer(baton, question);
            hang(RESERVED);
            return answer;
        });
        Thread.currentThread().join();
    }

    private static void hang(String where) throws InterruptedException {
        System.out.println(where);
        new CountDownLatch(1).await();
    }
}
