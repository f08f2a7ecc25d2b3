package io.baton.tck;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.OutcomeUnknownException;
import io.baton.StoreUnavailableException;
import io.baton.recipe.Futures;
import io.baton.recipes.Counter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A process of its own that counts operations. It prints a line once it is connected, begins when its input is closed, and
 * prints another line in the end: how many it has counted, how many have an unknown outcome, and how many it had to repeat
 * as they were not applied. It repeats no others: the counter remembers few operations, compared with what many processes count in a second.
 */
public final class CountingProcess {

    static final String COUNTER = "operations";

    private static final int AT_ONCE = 100;

    private final Counter counter;
    private int counted;
    private int unknown;
    private int repeated;

    private CountingProcess(Counter counter) {
        this.counter = counter;
    }

    /** Takes the store's URI, the name of this process, and how many operations it counts. */
    public static void main(String[] arguments) throws InterruptedException, IOException {
        CoordinatorOptions patient = CoordinatorOptions.builder()
                .requestTimeout(Duration.ofSeconds(30))
                .connectTimeout(Duration.ofMinutes(5))
                .build();
        try (Coordinator baton = Coordinator.connect(arguments[0], patient)) {
            var process = new CountingProcess(Counter.named(baton, COUNTER));
            System.out.println("connected");
            while (System.in.read() >= 0) {
                // Begins once its input is closed.
            }
            process.countAll(arguments[1], Integer.parseInt(arguments[2]));
            System.out.println(process.counted + " " + process.unknown + " " + process.repeated);
        }
    }

    private void countAll(String name, int operations) throws InterruptedException {
        for (int first = 0; first < operations; first += AT_ONCE) {
            List<String> ids = new ArrayList<>();
            for (int i = first; i < Math.min(operations, first + AT_ONCE); i++) {
                ids.add(name + "-" + i);
            }
            while (!ids.isEmpty()) {
                ids = count(ids);
                repeated += ids.size();
            }
        }
    }

    /** Returns those that were not applied. */
    private List<String> count(List<String> ids) throws InterruptedException {
        Map<String, CompletableFuture<Boolean>> adding = new LinkedHashMap<>();
        ids.forEach(id -> adding.put(id, counter.addOnceAsync(1, id)));
        List<String> notApplied = new ArrayList<>();
        for (Map.Entry<String, CompletableFuture<Boolean>> each : adding.entrySet()) {
            try {
                if (!each.getValue().get()) {
                    throw new IllegalStateException(each.getKey() + " is said to have been counted before");
                }
                counted++;
            } catch (ExecutionException failed) {
                Throwable why = Futures.cause(failed);
                if (why instanceof StoreUnavailableException) {
                    notApplied.add(each.getKey());
                } else if (why instanceof OutcomeUnknownException) {
                    unknown++;
                } else {
                    throw new IllegalStateException(each.getKey() + " failed", why);
                }
            }
        }
        return notApplied;
    }
}
