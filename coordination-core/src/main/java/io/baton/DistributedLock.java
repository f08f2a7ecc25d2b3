package io.baton;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;

/**
 * A mutual exclusion lock that is fair across processes and threads. Holds are granted in the order in which
 * contenders joined the line in the store.
 *
 * <p>This object keeps no acquisition state: each successful call returns a {@link Hold} of its own. It is not
 * re-entrant: a thread that acquires twice waits for itself. {@link #asLock()} returns a re-entrant form.
 *
 * <p><b>Failures.</b> An acquisition fails with
 *
 * <ul>
 *   <li>{@link SessionLostException} if the session ends while it waits and {@link CoordinatorOptions.Builder#rejoin}
 *       is not set;
 *   <li>{@link CoordinatorClosedException} if the coordinator is closed;
 *   <li>{@link LockLostException} if another client removes its entry while it waits;
 *   <li>{@link StoreUnavailableException} if it has a time limit and the store could not be reached within it; at once,
 *       also without a time limit, if etcd has no space left for its entry;
 *   <li>{@link TooManyWaitersException} if {@link CoordinatorOptions#maxWaiting()} acquisitions are under way already, or
 *       {@link LockOptions#holdAtLeast} is set and keeps as many released holds;
 *   <li>{@link IncompatibleOptionsException} if other contenders use other options, or another dialect.
 * </ul>
 */
public interface DistributedLock {

    /** Returns the name on which contenders agree, or the path. */
    String name();

    /**
     * Waits until the lock is held.
     *
     * @throws InterruptedException if interrupted while waiting; the line is left, and nothing is held
     */
    @CheckReturnValue
    Hold acquire() throws InterruptedException;

    /**
     * Acquires the lock if the line is empty. Otherwise it costs one read and writes nothing.
     *
     * <p>Databases need longer in two cases. Where only owners that have been silent for their ttl are in the way, it
     * looks again until the store has ended them, for a ttl and a few seconds. Where the line is empty and the store is
     * quiet after a restart, it waits for the end of that, for a ttl. Neither takes longer than the {@link
     * CoordinatorOptions#requestTimeout()}. If that is over, or the time is, it fails and says so.
     *
     * @return empty if there is another contender
     * @throws StoreUnavailableException if the store does not answer within {@link CoordinatorOptions#requestTimeout()};
     *     on databases also if only silent owners are in the way, or the store is quiet, until the time is over: another
     *     attempt may acquire the lock
     */
    @CheckReturnValue
    Optional<Hold> tryAcquire() throws InterruptedException;

    /**
     * Waits until the lock is held, but no longer than this.
     *
     * @param timeout how long to wait; zero or less is {@link #tryAcquire()}
     * @return empty if the time has passed; the line is left, and nothing is held
     * @throws StoreUnavailableException if the store was not reached in this time
     */
    @CheckReturnValue
    Optional<Hold> tryAcquire(Duration timeout) throws InterruptedException;

    /**
     * Runs the action under the lock if the lock is held within this time. Releases the lock when the action returns or
     * throws.
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
     * <p>With {@link #tryAcquire(Duration)}, a caller may forget the release: an {@link Optional} is no resource of a
     * {@code try} statement.
     *
     * <p><b>Not guaranteed.</b> The hold may become invalid before the action ends. The action checks its {@link Hold}
     * for that.
     *
     * @param timeout how long to wait; zero or less does not wait, as {@link #tryAcquire()}
     * @return whether the action ran; false if the time has passed, and then the line is left
     * @throws StoreUnavailableException if the store was not reached in this time
     * @throws X if the action throws it
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
     * Waits without blocking a thread. The future completes on a callback thread. Cancelling it leaves the line; a hold
     * granted in the same moment is released.
     */
    @CheckReturnValue
    CompletableFuture<Hold> acquireAsync();

    /**
     * Returns the contenders in the line, holder first. Costs one read for the line and one per entry.
     *
     * @throws StoreUnavailableException if the store does not answer within {@link CoordinatorOptions#requestTimeout()}
     */
    List<QueueEntry> queue() throws InterruptedException;

    /**
     * Asks the present holder to release the lock. {@link Hold#onReleaseRequested} of the hold is called, if its owner
     * listens, and decides. Nothing is taken away. A later request takes the place of one that is not answered. Closing
     * the coordinator withdraws it.
     *
     * @param reason why, for people; the holder is told its first 2,000 characters
     * @param timeout how long to wait for the outcome
     * @return completes on a callback thread; fails with {@link StoreUnavailableException} or {@link
     *     SessionLostException} if the holder could not be read or the request was not written. A request that may have
     *     been written is waited for as one that was, up to {@link Released.Outcome#UNANSWERED}
     */
    @CheckReturnValue
    CompletableFuture<Released> requestRelease(String reason, Duration timeout);

    /**
     * Returns the request to release that the first contender in line has not answered; empty if there is none. Of a
     * read/write lock, that is a writer, or the first of the readers, whichever of its locks this is. A request whose
     * client was killed stays until that contender leaves, or another request comes. Requests of programs of other
     * libraries are not shown. Three reads at most.
     *
     * @throws StoreUnavailableException if the store does not answer within {@link CoordinatorOptions#requestTimeout()}
     */
    Optional<PendingRelease> pendingRelease() throws InterruptedException;

    /**
     * Removes exactly this contender's entry, for an operator who knows that it must go. If it was a hold, the next
     * contender is granted, and the owner's hold is LOST at its next heartbeat at the latest. Until then the owner may
     * be at work: its guarded writes are refused, and other effects are not prevented. The store keeps who, why and when
     * ({@link #lastEviction}).
     *
     * <p>The record of {@link LockOptions#holdAtLeast} and {@link LockOptions#delayAfterLoss} stays, and keeps the next
     * contender waiting for up to the longer of the two; {@link #delays} shows it.
     *
     * @param who a contender from {@link #queue}
     * @param reason why, for people
     * @return false if the entry is gone already
     * @throws IllegalArgumentException if the contender does not name its entry, as those from {@link #queue} do
     * @throws StoreUnavailableException if the store was not reached, or a transaction of a program keeps the entry;
     *     nothing was removed
     * @throws SessionLostException if the session of this coordinator ended before it was asked; nothing was removed
     * @throws OutcomeUnknownException if no answer came; the entry may have been removed
     */
    @CheckReturnValue
    boolean evict(QueueEntry who, String reason) throws InterruptedException;

    /**
     * Returns the last eviction from this lock; empty if there was none. One read.
     *
     * @throws StoreUnavailableException if the store does not answer within {@link CoordinatorOptions#requestTimeout()}
     */
    Optional<Eviction> lastEviction() throws InterruptedException;

    /**
     * Returns the options {@link LockOptions#holdAtLeast} and {@link LockOptions#delayAfterLoss} as they are stored with
     * the lock, and how long it stays blocked; empty if no contender has set them. Costs as {@link #queue()}, and two
     * reads.
     *
     * @throws StoreUnavailableException if the store does not answer within {@link CoordinatorOptions#requestTimeout()}
     */
    Optional<LockDelays> delays() throws InterruptedException;

    /**
     * Returns this lock as a {@link Lock} that is re-entrant per thread: nested acquisitions share one hold and its
     * token. A nested acquisition throws {@link LockLostException} if the hold is lost. Conditions are not supported.
     *
     * <p>Each call returns an adapter with owners of its own. Code that acquires re-entrantly must share one adapter.
     */
    LockView asLock();
}
