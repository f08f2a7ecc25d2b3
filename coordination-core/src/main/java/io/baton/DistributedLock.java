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
    @CheckReturnValue
    Hold acquire() throws InterruptedException;

    /** Holds if nobody stands in line. Costs one read, and writes nothing, if somebody does. */
    @CheckReturnValue
    Optional<Hold> tryAcquire() throws InterruptedException;

    /**
     * Waits until held, but no longer than this.
     *
     * @return empty if the time has passed; the line is left, and nothing is held
     * @throws StoreUnavailableException if the time has passed without the store having been reached
     */
    @CheckReturnValue
    Optional<Hold> tryAcquire(Duration timeout) throws InterruptedException;

    /**
     * Runs the action while the lock is held, if it is held within this time, and releases it, however the action ends.
     *
     * <pre>{@code
     * boolean sent = baton.lock("reminders").runIfAcquired(Duration.ofSeconds(5), hold -> {
     *     for (String customer : due) {
     *         hold.ensureValid(Duration.ofSeconds(1));
     *         mail.send(customer);
     *     }
     * });
     * }</pre>
     *
     * <p>It is the form of {@link #tryAcquire(Duration)} that cannot forget the release: an {@link Optional} is no resource
     * of a {@code try} statement, and a resource may be left out of one. {@link #acquire()} needs no such form.
     *
     * <p><b>Not guaranteed.</b> That the hold was valid until the action's end. The action sees to that itself, with the
     * {@link Hold} that it is given.
     *
     * @param timeout how long to wait; zero: not at all, as {@link #tryAcquire()}
     * @return whether it ran; false if the time has passed, and then the line is left
     * @throws StoreUnavailableException if the time has passed without the store having been reached
     * @throws X what the action throws
     */
    default <X extends Exception> boolean runIfAcquired(Duration timeout, HeldAction<X> action)
            throws InterruptedException, X {
        Optional<Hold> acquired = tryAcquire(timeout);
        if (acquired.isEmpty()) {
            return false;
        }
        try (Hold hold = acquired.get()) {
            action.run(hold);
        }
        return true;
    }

    /**
     * Waits without a thread. Cancelling the future leaves the line; a hold granted in the same moment is released.
     * The future completes on a callback thread.
     */
    @CheckReturnValue
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
