package io.baton.config.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/** Waiters for revisions. Any thread; futures complete outside the lock. */
final class RevisionWaiters {

    private final LongSupplier applied;
    private final List<Waiter> waiters = new ArrayList<>();
    private boolean over;

    private record Waiter(long revision, CompletableFuture<Boolean> reached) {}

    /** {@code applied} returns the revision in use. */
    RevisionWaiters(LongSupplier applied) {
        this.applied = applied;
    }

    /** Completes with true once the revision is in use, or with false on closing. */
    CompletableFuture<Boolean> revision(long revision) {
        Waiter waiter = new Waiter(revision, new CompletableFuture<>());
        boolean closed;
        synchronized (waiters) {
            closed = over;
            if (!closed) {
                waiters.add(waiter);
            }
        }
        // Checks again, because the revision may have come into use meanwhile.
        if (closed || applied.getAsLong() >= revision) {
            forget(waiter.reached());
            waiter.reached().complete(applied.getAsLong() >= revision);
        }
        return waiter.reached();
    }

    void forget(CompletableFuture<Boolean> given) {
        synchronized (waiters) {
            waiters.removeIf(waiter -> waiter.reached() == given);
        }
    }

    /** Completes waiters up to this revision. */
    void reached(long revision) {
        List<Waiter> done;
        synchronized (waiters) {
            done = waiters.stream()
                    .filter(waiter -> waiter.revision() <= revision)
                    .toList();
            waiters.removeAll(done);
        }
        done.forEach(waiter -> waiter.reached().complete(true));
    }

    /** Completes all waiters with false. */
    void close() {
        List<Waiter> left;
        synchronized (waiters) {
            over = true;
            left = List.copyOf(waiters);
            waiters.clear();
        }
        left.forEach(waiter -> waiter.reached().complete(false));
    }
}
