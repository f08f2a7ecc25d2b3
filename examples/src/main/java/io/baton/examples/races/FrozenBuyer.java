package io.baton.examples.races;

import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.QueueEntry;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Stops a buyer once, between its reading and its writing, while others buy a part of the stock. The store ends the
 * buyer's hold meanwhile, as it does with that of a process that has been frozen for longer than its time to live. The
 * buyer does not notice, and writes.
 */
final class FrozenBuyer implements Purchase.Work {

    private static final long AT_MOST_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long WITHOUT_LOCK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Protection protection;
    private final Coordinator store;
    private final StockTable observer;
    private final int others;
    private final Runnable onFrozen;
    private final AtomicBoolean frozen = new AtomicBoolean();

    /**
     * Freezes a buyer.
     *
     * @param others how much the others take meanwhile
     * @param onFrozen called once it has read, and is frozen
     */
    FrozenBuyer(Protection protection, Coordinator store, StockTable observer, int others, Runnable onFrozen) {
        this.protection = protection;
        this.store = store;
        this.observer = observer;
        this.others = others;
        this.onFrozen = onFrozen;
    }

    @Override
    public void run(int row) throws InterruptedException {
        if (frozen.getAndSet(true)) {
            return;
        }
        int before = taken();
        onFrozen.run();
        Optional<DistributedLock> lock = protection.lock(store, row);
        if (lock.isEmpty()) {
            LockSupport.parkNanos(WITHOUT_LOCK_NANOS);
            return;
        }
        endHold(lock.get());
        long deadline = System.nanoTime() + AT_MOST_NANOS;
        while (taken() < before + others && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Ends the hold on a lock as the store does when its holder is frozen for too long; the holder does not notice. */
    static void endHold(DistributedLock lock) throws InterruptedException {
        for (QueueEntry entry : lock.queue()) {
            if (entry.holder()) {
                boolean unused = lock.evict(entry, "its process is frozen");
            }
        }
    }

    private int taken() {
        try {
            return observer.taken();
        } catch (SQLException broken) {
            throw new IllegalStateException("cannot look at what was taken", broken);
        }
    }
}
