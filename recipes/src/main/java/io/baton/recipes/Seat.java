package io.baton.recipes;

import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Subscription;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * One of {@link Seats}, for as long as it is valid. It belongs to no thread: any thread may use and close it.
 *
 * <p><b>Guarantees.</b> Those of {@link Hold}: while {@link #state()} is HELD or JEOPARDY and {@link #remaining()} is
 * positive, no other process has this seat. A loss is always signalled.
 */
public interface Seat extends AutoCloseable {

    /** Returns the number of the seat, from 0. */
    int number();

    /** Returns the fencing token, which is larger than that of every earlier owner of this seat. */
    long token();

    /** Returns how long the seat is certain to stay valid without further contact; zero once lost or closed. */
    Duration remaining();

    /** Returns the present state; LOST and RELEASED are final. */
    HoldState state();

    /**
     * Checks that the seat is certain to stay valid for at least this long.
     *
     * @throws io.baton.LockLostException if it is not
     */
    void ensureValid(Duration atLeast);

    /**
     * Runs the listener once when the seat is lost, on a callback thread; at once if it is lost already. Not run once
     * the seat is closed.
     */
    Subscription onLost(Runnable listener);

    /** Returns the hold of the seat's lock, for {@link io.baton.Guard#held}. It is released with the seat. */
    Hold hold();

    /**
     * Gives the seat back. Waits for the store's confirmation for at most {@link
     * io.baton.CoordinatorOptions#closeTimeout()}; after that, Baton repeats the removal until it is confirmed. Called
     * from a callback, it does not wait. Idempotent.
     */
    @Override
    void close();

    /** Gives the seat back without waiting. The future completes on a callback thread. */
    CompletableFuture<Void> releaseAsync();
}
