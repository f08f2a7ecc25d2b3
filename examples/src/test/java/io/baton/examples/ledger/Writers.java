package io.baton.examples.ledger;

import io.baton.Coordinator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Clients that append all the time. */
final class Writers {

    /** So that what is left to read in the end does not get out of hand. */
    private static final Duration PAUSE = Duration.ofMillis(25);

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Coordinator baton;
    private final Acknowledged acknowledged;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> writing = new ArrayList<>();
    private volatile boolean enough;

    Writers(Coordinator baton, Acknowledged acknowledged, int count) {
        this.baton = baton;
        this.acknowledged = acknowledged;
        for (int number = 1; number <= count; number++) {
            String name = "writer-" + number;
            writing.add(threads.submit(() -> write(name)));
        }
    }

    private Void write(String name) throws InterruptedException {
        try (var client = new LedgerClient(baton)) {
            for (int i = 1; !enough; i++) {
                acknowledged.add(client.append(name + "-" + i, "entry " + i + " of " + name));
                Thread.sleep(PAUSE.toMillis());
            }
        }
        return null;
    }

    /** Lets each finish what it is at; throws what any of them has thrown. */
    void finish() throws Exception {
        enough = true;
        threads.shutdown();
        for (Future<?> each : writing) {
            each.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        }
    }
}
