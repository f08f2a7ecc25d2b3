package io.baton;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One acquisition of a lock, owned by whoever has this object: no thread identity is involved.
 *
 * <p><b>Guarantees.</b> While {@link #state()} is HELD or JEOPARDY and {@link #remaining()} is positive, no other
 * contender is granted, whatever this process and the network do, provided the clocks of client and server run at rates
 * within 1 % of each other, and the store's servers keep sessions for as long as they promise. Both are computed on the spot from a local deadline, so they are right
 * immediately after a pause of this process. A loss is always signalled.
 *
 * <p><b>Not guaranteed.</b> That work started while valid ends while valid: a process can be paused between the check
 * and the write. Writes that must never come late go through {@link Coordinator#transact} with {@link Guard#held}, or
 * carry the {@link #token()} to a resource that refuses smaller ones.
 *
 * <p><b>Threads.</b> All methods may be called by any thread.
 */
public interface Hold extends AutoCloseable {

    /** The name of the lock. */
    String name();

    /** The fencing token: larger than that of every earlier hold of this lock. */
    long token();

    /** What this hold is worth now; LOST and RELEASED are final. */
    HoldState state();

    /** How long this hold is certain to stay valid if the store is not heard from again; zero once LOST or RELEASED. */
    Duration remaining();

    /**
     * Returns if this hold is certain to stay valid for at least this long.
     *
     * @throws LockLostException if it is not; the message says whether it is lost or merely too short
     */
    void ensureValid(Duration atLeast);

    /** Runs once when the hold is lost, at once if it is already. Never after {@link #close()}. */
    Subscription onLost(Runnable listener);

    /** Told of the present state and of every later one; a slow listener is told the newest only. */
    Subscription onState(Consumer<HoldState> listener);

    /**
     * Releases: removes this hold's own entry, and wakes the next in line. Waits for the store's confirmation for at
     * most {@link CoordinatorOptions#closeTimeout()}; past that the removal stays owed and is repeated until confirmed.
     * Does not throw for a lost hold. Called from a callback it does not wait. Idempotent.
     */
    @Override
    void close();

    /** Releases without waiting; completes once the store has confirmed, or the entry has gone in another way. */
    CompletableFuture<Void> releaseAsync();
}
