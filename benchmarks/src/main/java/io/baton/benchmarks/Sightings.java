package io.baton.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Whether a client sees another one in a group. Any thread. */
final class Sightings {

    private static final long PATIENCE_SECONDS = 30;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean seen;

    void see(boolean there) {
        lock.lock();
        try {
            seen = there;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void await(boolean there) throws InterruptedException, TimeoutException {
        long left = TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        lock.lock();
        try {
            while (seen != there) {
                if (left <= 0) {
                    throw new TimeoutException("the group was not seen to change");
                }
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
