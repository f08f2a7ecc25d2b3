package io.baton;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;

/**
 * A mutual exclusion lock, fair across processes and threads: holds are granted in the order in which contenders
 * joined the line in the store.
 *
 * <p>This object keeps no acquisition state; each successful call gives a {@link Hold} of its own. It is not
 * re-entrant: a thread that acquires twice waits for itself. {@link #asLock()} is.
 *
 * <p><b>Failures.</b> An acquisition fails with {@link SessionLostException} if the session ends while it waits (its
 * place in line is gone), unless {@link CoordinatorOptions.Builder#rejoin} lets it join again at the end; with
 * {@link LockLostException} if somebody else removes its entry while it waits; and with
 * {@link StoreUnavailableException} where a time limit was given and the store could not be reached in it.
 */
public interface DistributedLock {

    /** The name that contenders agree on. */
    String name();

    /**
     * Waits until held.
     *
     * @throws InterruptedException if interrupted while waiting; the line is left, and nothing is held
     */
    Hold acquire() throws InterruptedException;

    /** Holds if nobody stands in line. Costs one read, and writes nothing, if somebody does. */
    Optional<Hold> tryAcquire() throws InterruptedException;

    /**
     * Waits until held, but no longer than this.
     *
     * @return empty if the time has passed; the line is left, and nothing is held
     * @throws StoreUnavailableException if the time has passed without the store having been reached
     */
    Optional<Hold> tryAcquire(Duration timeout) throws InterruptedException;

    /**
     * Waits without a thread. Cancelling the future leaves the line; a hold granted in the same moment is released.
     * The future completes on a callback thread.
     */
    CompletableFuture<Hold> acquireAsync();

    /**
     * Who stands in the line now, holder first. One read for the line and one per entry.
     *
     * @throws StoreUnavailableException if the store cannot be reached
     */
    List<QueueEntry> queue() throws InterruptedException;

    /**
     * This lock as a {@link Lock}, re-entrant per thread: nested acquisitions share one hold and its token. Acquiring
     * again while the hold is lost throws {@link LockLostException}. Conditions are not supported. Each call gives an
     * adapter with its own owners; share one among threads that are to exclude each other re-entrantly.
     */
    LockView asLock();
}
