package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.SessionLostException;
import io.baton.Subscription;
import io.baton.recipes.Asking;
import io.baton.recipes.StandingQuestion;
import io.baton.recipes.StandingQuestion.State;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each service has a coordinator of its own. A restart is a new one. */
@Timeout(120)
class ReservationsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Coordinator operator;

    @BeforeEach
    void connect() throws InterruptedException {
        operator = service();
        operator.records("stock").put("book", "2");
    }

    @AfterEach
    void close() {
        operator.close();
    }

    private static Coordinator service() throws InterruptedException {
        return Coordinator.connect("mem:reservations");
    }

    private String left() throws InterruptedException {
        return operator.records("stock").get("book").orElseThrow().text();
    }

    @Test
    void reserve_bothServicesRestartedMeanwhile_takesOne() throws Exception {
        var reached = new CountDownLatch(1);
        Coordinator stock = service();
        // A process of the stock service that has the order, and is restarted before it has done anything.
        Subscription serving = Asking.named(stock, "reservations").serve(question -> {
            reached.countDown();
            new CountDownLatch(1).await();
            return new byte[0];
        });
        Coordinator orders = service();
        var first = new CompletableFuture<Throwable>();
        Thread waiting = new Thread(() -> {
            try {
                first.completeExceptionally(new AssertionError(Reservations.reserve(orders, "order-1", "book")));
            } catch (Throwable expected) {
                first.complete(expected);
            }
        });
        waiting.start();
        reached.await();

        orders.close();
        assertThat(first).succeedsWithin(PATIENCE).isInstanceOf(SessionLostException.class);
        serving.close();
        stock.close();

        assertThat(questions()).extracting(StandingQuestion::state).containsExactly(State.BEGUN);
        try (Coordinator restarted = service();
                Subscription again = Reservations.serve(restarted);
                Coordinator ordersAgain = service()) {
            assertThat(Reservations.reserve(ordersAgain, "order-1", "book")).isEqualTo("reserved");
            assertThat(left()).isEqualTo("1");
            assertThat(Reservations.reserve(ordersAgain, "order-1", "book")).isEqualTo("reserved");
            assertThat(left()).isEqualTo("1");
            assertThat(Reservations.reserve(ordersAgain, "order-2", "book")).isEqualTo("reserved");
            assertThat(Reservations.reserve(ordersAgain, "order-3", "book")).isEqualTo("sold out");
        }
    }

    private List<StandingQuestion> questions() throws InterruptedException {
        return Asking.named(operator, "reservations").questions();
    }
}
