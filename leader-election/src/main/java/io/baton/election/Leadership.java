package io.baton.election;

import io.baton.CheckReturnValue;
import io.baton.Guard;
import io.baton.Subscription;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One term of one leader.
 *
 * <p><b>Guarantees.</b> While {@link #remaining()} is positive no other candidate leads, under the conditions that
 * {@link io.baton.Hold} names. It is computed at each call from a local deadline, so it is right immediately after a
 * pause of this process. Terms of an election rise.
 *
 * <p><b>Not guaranteed.</b> Work begun as leader may end after the leadership, as a process can be paused at any point.
 * Writes that must never come late carry the {@link #guard()}, or the {@link #term()} to a resource that refuses
 * smaller ones.
 *
 * <p><b>Threads.</b> All methods may be called by any thread.
 */
public interface Leadership {

    /** The election's name. */
    String election();

    /** The term: a fencing token, larger than that of every earlier leader of this election. */
    long term();

    /** How long this candidate is certain to lead without further contact with the store; zero once it is over. */
    Duration remaining();

    /**
     * Returns if this candidate is certain to lead for at least this long.
     *
     * @throws io.baton.LockLostException if it is not; the message says whether the leadership is lost or merely too
     *     short
     */
    void ensureValid(Duration atLeast);

    /**
     * For {@link io.baton.Coordinator#transact}: writes only while this candidate's entry exists, as the store checks.
     */
    @CheckReturnValue
    Guard guard();

    /** Why the work has to stop; empty while it has not. */
    Optional<StopReason> stopReason();

    /** Runs once when the work has to stop, at once if it has already. */
    Subscription onStop(Consumer<StopReason> listener);

    /**
     * Waits until the work has to stop. Called by the work itself, it consumes the interrupt that comes with that.
     *
     * @throws InterruptedException if interrupted for another reason
     */
    StopReason awaitStop() throws InterruptedException;

    /** As {@link Candidacy#resign()}. */
    CompletableFuture<Void> resign();

    /** As {@link Candidacy#handOver} without waiting; the future fails with the same exceptions. */
    @CheckReturnValue
    CompletableFuture<Void> handOverAsync(String candidateId, Duration timeout);
}
