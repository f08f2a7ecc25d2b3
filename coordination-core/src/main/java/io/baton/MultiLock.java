package io.baton;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Several locks, acquired together or not at all. They are acquired one after the other in one order that is the same
 * for all programs. So multi-locks never wait for each other in a circle, whatever order their names were given in.
 *
 * <p>If a lock is lost while the others are waited for, the wait goes on, and fails once all others are held.
 *
 * <p><b>Not guaranteed.</b> A program that holds one lock and then acquires another in a second call is outside this
 * order, and may wait in a circle with others.
 */
public interface MultiLock {

    /** Returns the names of the locks, in the order in which they are acquired. */
    List<String> names();

    /**
     * Waits until all locks are held. Fails as {@link DistributedLock#acquire()} does, and then holds none of them.
     *
     * @throws LockLostException if one of them was lost while the others were acquired
     * @throws InterruptedException if interrupted while waiting; none of them is held
     */
    @CheckReturnValue
    MultiHold acquire() throws InterruptedException;

    /**
     * Waits until all locks are held, but no longer than this in all. Once the time is over, a lock that has not been
     * asked for is not acquired any more, even if it is free.
     *
     * @param timeout how long to wait; zero or less acquires them only if all are free
     * @return empty if the time has passed; none of them is held
     * @throws LockLostException if one of them was lost while the others were acquired
     * @throws StoreUnavailableException if the store was not reached in this time, or went out of reach as it ended
     */
    @CheckReturnValue
    Optional<MultiHold> tryAcquire(Duration timeout) throws InterruptedException;

    /**
     * Waits without blocking a thread. The future completes on a callback thread. Cancelling it leaves all lines; holds
     * granted in the same moment are released.
     */
    @CheckReturnValue
    CompletableFuture<MultiHold> acquireAsync();
}
