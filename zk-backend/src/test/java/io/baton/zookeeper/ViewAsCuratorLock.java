package io.baton.zookeeper;

import io.baton.Hold;
import io.baton.HoldState;
import io.baton.LockView;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.recipes.locks.InterProcessLock;

/** A lock of Baton's that a thread owns, as one of Curator's. */
final class ViewAsCuratorLock implements InterProcessLock {

    private final LockView view;

    /** The only one that can be held, as it is the newest. */
    private volatile Optional<Hold> newest = Optional.empty();

    ViewAsCuratorLock(LockView view) {
        this.view = view;
    }

    @Override
    public void acquire() throws InterruptedException {
        view.lockInterruptibly();
        newest = view.current();
    }

    @Override
    public boolean acquire(long time, TimeUnit unit) throws InterruptedException {
        boolean acquired = view.tryLock(time, unit);
        if (acquired) {
            newest = view.current();
        }
        return acquired;
    }

    @Override
    public void release() {
        view.unlock();
    }

    @Override
    public boolean isAcquiredInThisProcess() {
        return newest.map(Hold::state).filter(HoldState.HELD::equals).isPresent();
    }
}
