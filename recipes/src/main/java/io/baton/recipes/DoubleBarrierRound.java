package io.baton.recipes;

import io.baton.CheckReturnValue;
import io.baton.CoordinationException;
import io.baton.Subscription;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A round of a {@link DoubleBarrier}, as one of its parties has it. It belongs to no thread: any thread may use and
 * close it.
 *
 * <p>A party that has entered is inside until it calls {@link #leave}, or goes by {@link #close}. If it goes, its session
 * ends, or its entry is removed by somebody, the end of the round is broken for all of its parties.
 */
public interface DoubleBarrierRound extends AutoCloseable {

    /** Returns the verdict on entering, the same for all parties: passed, if all have entered. */
    BarrierRound entry();

    /**
     * Returns this round if it was entered.
     *
     * @throws CoordinationException if it was not
     */
    DoubleBarrierRound orThrow();

    /**
     * Waits until all parties of the round are ready to leave, or one of them has gone. Calls after the first one wait
     * for the same verdict.
     *
     * @return the verdict on leaving, the same for all parties: passed, if all have left together
     * @throws CoordinationException if the round was not entered
     * @throws io.baton.SessionLostException if the session ended, or the entry was removed by somebody, before the
     *     verdict, or the coordinator is closed: the end is broken for the others
     * @throws InterruptedException if interrupted; the end is broken, unless it has been decided
     */
    @CheckReturnValue
    BarrierRound leave() throws InterruptedException;

    /**
     * As {@link #leave()}, but goes after this time, which breaks the end.
     *
     * @param timeout how long to wait, more than zero
     * @throws io.baton.OutcomeUnknownException if the time is over and the store does not answer: the others may have
     *     left together with this party, or the end will be broken
     */
    @CheckReturnValue
    BarrierRound leave(Duration timeout) throws InterruptedException;

    /**
     * {@link #leave()} without waiting. The future completes on a callback thread. Cancelling it breaks the end, unless it
     * has been decided.
     */
    @CheckReturnValue
    CompletableFuture<BarrierRound> leaveAsync();

    /**
     * Runs the listener on a callback thread once it is known that the parties will not leave together, with the reason:
     * work that needs all of them can stop. It runs at most once, and not while the store is out of reach.
     */
    Subscription onBroken(Consumer<String> listener);

    /** Returns how long this party is certain to be inside without further contact; zero if it is not. */
    Duration remaining();

    /**
     * Goes without waiting for the others, which breaks the end unless it has been decided. Does not wait for the store;
     * Baton repeats the removal until it is confirmed. Idempotent.
     */
    @Override
    void close();
}
