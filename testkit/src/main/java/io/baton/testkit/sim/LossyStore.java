package io.baton.testkit.sim;

import io.baton.spi.Guarantees;
import io.baton.spi.Guarantees.Exclusion;
import io.baton.spi.Guarantees.Survival;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.spi.Store;
import java.time.Duration;

/** A store that reports that it may lose the latest writes, and otherwise delegates. */
public record LossyStore(Store store) implements Store {

    @Override
    public Guarantees guarantees() {
        Guarantees all = store.guarantees();
        return new Guarantees(
                Survival.LATEST_MAY_BE_LOST,
                Exclusion.MAY_OVERLAP_UNTIL_DEADLINE,
                Duration.ofMillis(100),
                all.maxOps(),
                all.maxBytes(),
                all.expiryLag());
    }

    @Override
    public Session open(SessionSpec spec, Loop loop, SessionListener listener) {
        return store.open(spec, loop, listener);
    }

    @Override
    public void check(Line line) {
        store.check(line);
    }
}
