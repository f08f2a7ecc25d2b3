package io.baton.config.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/** Who waits for a revision. Any thread; nobody is told under the lock. */
final class RevisionWaiters {

    private final LongSupplier applied;
    private final List<Waiter> waiters = new ArrayList<>();
    private boolean over;

    private record Waiter(long revision, CompletableFuture<Boolean> reached) {}

    /** {@code applied} tells the revision that is in use. */
    RevisionWaiters(LongSupplier applied) {
        this.applied = applied;
    }

    /** Completes with whether it came into use, or never will. */
    CompletableFuture<Boolean> revision(long revision) {
        Waiter waiter = new Waiter(revision, new CompletableFuture<>());
        boolean closed;
        synchronized (waiters) {
            closed = over;
            if (!closed) {
                waiters.add(waiter);
            }
        }
        // Looked at once more, as it may have come into use meanwhile.
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

    /** This is in use now. */
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

    /** Nothing comes into use any more. */
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
