package io.baton.benchmarks.database;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Baton's lock. */
final class BatonLock implements DatabaseLock {

    private final Coordinator baton;
    private @Nullable Hold hold;

    BatonLock(String url) throws InterruptedException {
        baton = Coordinator.connect(
                url,
                CoordinatorOptions.builder()
                        .ttl(Duration.ofSeconds(20))
                        .connectTimeout(Duration.ofSeconds(60))
                        .build());
    }

    @Override
    public void take() throws InterruptedException {
        hold = baton.lock("contest").acquire();
    }

    @Override
    public void give() {
        if (hold != null) {
            hold.close();
        }
    }

    @Override
    public void close() {
        baton.close();
    }
}
