package io.baton;

import io.baton.spi.Guarantees;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The holds of a {@link MultiLock}. It is valid as long as all of them are. All methods may be called by any thread. */
public interface MultiHold extends AutoCloseable {

    /** Returns the holds by the names of their locks, in the order in which they were acquired. */
    Map<String, Hold> holds();

    /** Returns a {@link Guard#held} for each hold. */
    List<Guard> guards();

    /** Returns what the store guarantees for each of the holds, as {@link Hold#guarantees} does. */
    Guarantees guarantees();

    /** Returns how long all holds are certain to stay valid without further contact; zero once one is not. */
    Duration remaining();

    /** Returns LOST if one of the holds is lost, otherwise RELEASED or JEOPARDY if one of them is, otherwise HELD. */
    HoldState state();

    /**
     * Checks that all holds are certain to stay valid for at least this long.
     *
     * @throws LockLostException if one of them is not; the message says which
     */
    void ensureValid(Duration atLeast);

    /**
     * Runs the listener once when the first of the holds is lost, on a callback thread, with that hold; at once if one
     * is lost already. The others stay held until {@link #close()}.
     */
    Subscription onLost(Consumer<Hold> listener);

    /** Releases all holds, the last acquired first, as {@link Hold#close()} does. Idempotent. */
    @Override
    void close();

    /** Releases all holds without waiting. Completes as {@link Hold#releaseAsync()} once all of them have. */
    CompletableFuture<Void> releaseAsync();
}
