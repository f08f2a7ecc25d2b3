package io.baton.zookeeper;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.recipes.locks.InterProcessLock;
import org.jspecify.annotations.Nullable;

/** A lock of Baton's that no thread owns, as one of Curator's. It is not re-entrant. */
abstract class HoldAsCuratorLock<H extends AutoCloseable> implements InterProcessLock {

    private volatile @Nullable H held;

    abstract H acquired() throws InterruptedException;

    abstract Optional<H> acquired(Duration within) throws InterruptedException;

    @Override
    public final void acquire() throws InterruptedException {
        held = acquired();
    }

    @Override
    public final boolean acquire(long time, TimeUnit unit) throws InterruptedException {
        Optional<H> granted = acquired(Duration.of(time, unit.toChronoUnit()));
        granted.ifPresent(hold -> held = hold);
        return granted.isPresent();
    }

    @Override
    public final void release() throws Exception {
        H mine = held;
        if (mine == null) {
            throw new IllegalMonitorStateException("not held");
        }
        held = null; // before it is closed, as the next thread is granted then
        mine.close();
    }

    @Override
    public final boolean isAcquiredInThisProcess() {
        return held != null;
    }
}
