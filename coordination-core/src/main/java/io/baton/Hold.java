package io.baton;

import io.baton.spi.Guarantees;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One acquisition of a lock. It belongs to no thread: any thread may use and close it.
 *
 * <p><b>Guarantees.</b> While {@link #state()} is HELD or JEOPARDY and {@link #remaining()} is positive, no conflicting
 * contender is granted, whatever this process and the network do: none at all for a lock or a writer, no writer for a
 * reader, and no more permits than the size for a semaphore. This assumes that the clocks of client and server run at
 * rates within 1 % of each other, and that the servers keep sessions for as long as they promise. Both methods compute
 * their result from a local deadline when they are called, so it is right immediately after a pause of this process. A
 * loss is always signalled.
 *
 * <p><b>Not guaranteed.</b> Work that begins while the hold is valid may end when it no longer is: a process can be
 * paused between the check and the write. For writes that must never come late, use {@link Coordinator#transact} with
 * {@link Guard#held}, or pass the {@link #token()} to a resource that refuses smaller ones.
 *
 * <p><b>Threads.</b> All methods may be called by any thread.
 */
public interface Hold extends AutoCloseable {

    /** Returns the name of the lock, or its path. */
    String name();

    /**
     * Returns the fencing token, which is larger than that of every earlier hold of this lock. Only where the lock's
     * {@link LockOptions} let owners in one process share a place, several holds have the same; see {@link #turn}. Of
     * permits and of a reader, it only identifies the hold: others hold at the same time.
     */
    long token();

    /**
     * Returns the number of this hold among those with the same token; 0 unless the lock's {@link LockOptions} let
     * owners in one process share a token. A later owner has a larger token, or the same one and a larger turn: a
     * resource that checks tokens must then check both.
     */
    default long turn() {
        return 0;
    }

    /**
     * Returns what the store guarantees for this hold, the same for as long as it lives: whether another can be valid
     * beside it when another server takes over ({@link Guarantees#failOver}), and what a write that it guards survives
     * once it is acknowledged ({@link Guarantees#acknowledged}). Sends no request.
     */
    Guarantees guarantees();

    /** Returns the present state; LOST and RELEASED are final. */
    HoldState state();

    /** Returns how long this hold is certain to stay valid without further contact; zero once LOST or RELEASED. */
    Duration remaining();

    /**
     * Checks that this hold is certain to stay valid for at least this long.
     *
     * @throws LockLostException if it is not; the message says whether the hold was lost, was released or has too
     *     little time left
     */
    void ensureValid(Duration atLeast);

    /**
     * Runs the listener once when the hold is lost, on a callback thread; at once if it is lost already. Never begins
     * to run it after {@link #close()}.
     */
    Subscription onLost(Runnable listener);

    /**
     * Calls the listener with the present state and with each later one, on a callback thread. A slow listener gets
     * the newest state only, but never misses LOST.
     */
    Subscription onState(Consumer<HoldState> listener);

    /**
     * Calls the listener with each request to release this hold, on a callback thread, one after the other; see {@link
     * DistributedLock#requestRelease}. Without a listener, requests are not answered. Listening costs an observation of
     * a small tree of records for each coordinator, not for each hold.
     */
    Subscription onReleaseRequested(Consumer<ReleaseRequest> listener);

    /**
     * Releases the hold: removes its entry, so that the next contender can be granted. Waits for the store's
     * confirmation for at most {@link CoordinatorOptions#closeTimeout()}; after that, Baton repeats the removal until
     * it is confirmed. Does not throw for a lost hold. Called from a callback, or in an interrupted thread, it does not
     * wait. Idempotent.
     *
     * <p>With {@link LockOptions}, the entry may stay: for the next owner in this process, or for a while.
     */
    @Override
    void close();

    /**
     * Releases the hold without waiting. The future completes on a callback thread once the store has confirmed, or the
     * entry has gone in another way.
     */
    CompletableFuture<Void> releaseAsync();
}
