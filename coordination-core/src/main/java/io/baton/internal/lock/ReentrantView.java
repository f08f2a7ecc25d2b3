package io.baton.internal.lock;

import io.baton.Hold;
import io.baton.LockView;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** A lock that a thread owns, on top of holds that no thread owns. Nested acquisitions share the thread's hold. */
final class ReentrantView implements LockView {

    private final QueuedLock lock;

    // Per adapter, since each adapter has owners of its own; removed with the last unlock.
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Owned> owned = new ThreadLocal<>();

    ReentrantView(QueuedLock lock) {
        this.lock = lock;
    }

    @Override
    public Optional<Hold> current() {
        return Optional.ofNullable(owned.get()).map(mine -> mine.hold);
    }

    @Override
    public void lock() {
        if (!enteredAgain()) {
            owned.set(new Owned(lock.acquirer().acquireUninterruptibly()));
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (!enteredAgain()) {
            owned.set(new Owned(lock.acquire()));
        }
    }

    @Override
    public boolean tryLock() {
        return enteredAgain() || entered(lock.acquirer().tryAcquireUninterruptibly());
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return enteredAgain() || entered(lock.tryAcquire(Duration.ofNanos(unit.toNanos(time))));
    }

    @Override
    public void unlock() {
        Owned mine = owned.get();
        if (mine == null) {
            throw new IllegalMonitorStateException("this thread does not hold lock '" + lock.name() + "'");
        }
        mine.depth--;
        if (mine.depth == 0) {
            owned.remove();
            mine.hold.close();
        }
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("a distributed lock has no conditions");
    }

    private boolean enteredAgain() {
        Owned mine = owned.get();
        if (mine == null) {
            return false;
        }
        // A nested acquisition under a lost hold would break the exclusion silently: it throws instead.
        mine.hold.ensureValid(Duration.ZERO);
        mine.depth++;
        return true;
    }

    private boolean entered(Optional<Hold> hold) {
        hold.ifPresent(granted -> owned.set(new Owned(granted)));
        return hold.isPresent();
    }

    private static final class Owned {

        private final Hold hold;
        private int depth = 1;

        Owned(Hold hold) {
            this.hold = hold;
        }
    }
}
