package io.baton;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;

/**
 * A number of permits that the processes of a service share. Contenders are served in the order in which they joined,
 * whatever number each of them wants: one that waits for many permits is not overtaken by one that wants few.
 *
 * <p><b>Guarantees.</b> The permits of all valid holds never exceed the {@linkplain #resize size}. Those of a process
 * that ends come back with its session, after its ttl at the latest. A release wakes two contenders at most.
 *
 * <p><b>Not guaranteed.</b> A semaphore gives no fencing: several hold it at the same time, so a larger token says
 * nothing. A hold may become invalid before the work under it ends, and then more than the size may be at work. Where
 * that must not be, use a lock and {@link Guard#held}.
 *
 * <p><b>The size</b> is a record in the store. The first contender writes it, and it stays. A program that asks for
 * a size that the semaphore has not had is refused with an {@link IncompatibleOptionsException} that has both, when
 * it acquires.
 *
 * <p>It fails as {@link DistributedLock} does.
 */
public interface DistributedSemaphore {

    /** Returns the name on which contenders agree. */
    String name();

    /** {@link #acquire(int)} of one permit. */
    @CheckReturnValue
    default PermitHold acquire() throws InterruptedException {
        return acquire(1);
    }

    /**
     * Waits until this number of permits is held.
     *
     * @param permits at least 1
     * @throws IllegalArgumentException if permits are less than 1
     * @throws IncompatibleOptionsException if the semaphore has fewer permits than that
     * @throws InterruptedException if interrupted while waiting; nothing is held
     */
    @CheckReturnValue
    PermitHold acquire(int permits) throws InterruptedException;

    /**
     * Acquires this number of permits if they are free and nobody waits.
     *
     * @return empty if they are not
     * @throws IllegalArgumentException if permits are less than 1
     * @throws IncompatibleOptionsException if the semaphore has fewer permits than that
     * @throws StoreUnavailableException as {@link DistributedLock#tryAcquire()}, as regards the queue; permits that the
     *     dead still hold are not free
     */
    @CheckReturnValue
    Optional<PermitHold> tryAcquire(int permits) throws InterruptedException;

    /**
     * Waits until this number of permits is held, but no longer than this.
     *
     * @param timeout how long to wait; zero or less is {@link #tryAcquire(int)}
     * @return empty if the time has passed; nothing is held
     * @throws IllegalArgumentException if permits are less than 1
     * @throws IncompatibleOptionsException if the semaphore has fewer permits than that
     * @throws StoreUnavailableException if the store was not reached in this time
     */
    @CheckReturnValue
    Optional<PermitHold> tryAcquire(int permits, Duration timeout) throws InterruptedException;

    /**
     * Waits without blocking a thread. The future completes on a callback thread. Cancelling it leaves the line;
     * permits granted in the same moment are released.
     *
     * @throws IllegalArgumentException if permits are less than 1
     */
    @CheckReturnValue
    CompletableFuture<PermitHold> acquireAsync(int permits);

    /**
     * {@link #tryAcquire(int)} without blocking a thread. The future completes on a callback thread. Cancelling it gives
     * up; permits granted in the same moment are released.
     *
     * @throws IllegalArgumentException if permits are less than 1
     */
    @CheckReturnValue
    CompletableFuture<Optional<PermitHold>> tryAcquireAsync(int permits);

    /**
     * Returns the size, and who holds and waits. Costs three reads and one per entry, which are not of one moment.
     *
     * @throws StoreUnavailableException if the store does not answer within {@link CoordinatorOptions#requestTimeout()}
     */
    SemaphoreView view() throws InterruptedException;

    /** As {@link DistributedLock#evict}, with a contender from {@link #view}. */
    @CheckReturnValue
    boolean evict(QueueEntry who, String reason) throws InterruptedException;

    /** As {@link DistributedLock#lastEviction}. */
    Optional<Eviction> lastEviction() throws InterruptedException;

    /**
     * Changes the size if it is the expected one. Growing serves waiting contenders within about two seconds, as the
     * first of them reads the size that often; a client that is the first in more than 500 queues reads each more seldom.
     * Shrinking takes no permit away: nothing is granted until what is out fits. On ZooKeeper, a contender whose server
     * lags behind may still be granted by the former size. If no contender has set a size yet, the one that this program
     * declares counts as the present size, and is set as the first.
     *
     * @param expected the present size
     * @param size the next size, at least 1
     * @return false if the present size is another one
     * @throws IllegalArgumentException if the size is less than 1
     * @throws OutcomeUnknownException if no answer came; the size may have changed
     */
    @CheckReturnValue
    boolean resize(int expected, int size) throws InterruptedException;

    /**
     * Calls the listener with the present size, once there is one, and with each later one, on a callback thread. A
     * slow listener gets the newest size only. Reads the sizes of all semaphores, as they are in one tree: where there
     * are thousands, {@link #view} now and then costs less.
     */
    Subscription onSize(IntConsumer listener);
}
