package io.baton.election;

import io.baton.CheckReturnValue;
import io.baton.CoordinationException;
import io.baton.Subscription;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A candidate in an election, until closed. It stands in the line, leads when it is first, and stands again after each
 * term, even after an expired session.
 *
 * <p><b>Threads.</b> All methods may be called by any thread.
 */
public interface Candidacy extends AutoCloseable {

    /** The candidate. */
    Candidate candidate();

    /** The present state. */
    CandidacyState state();

    /**
     * Notifies of the present state, and then of every change, each once and in order, where callbacks run. A listener
     * that falls behind by a thousand is notified of the newest only.
     *
     * <p><b>Not guaranteed.</b> The state may have changed when the listener runs. A leader's own reaction to having to
     * stop belongs into its work, or into {@link Leadership#onStop}.
     */
    Subscription onChange(Consumer<CandidacyState> listener);

    /** The present term; empty if this candidate does not lead, or its last term's work has not stopped yet. */
    Optional<Leadership> leadership();

    /** Why this candidate stands in no line at the moment, if it was refused; it tries again. */
    Optional<CoordinationException> trouble();

    /**
     * The pause of the election, as far as this candidate knows; empty if there is none. While paused only the
     * candidate that it names stands; every other one leaves the line, and stands again once the election is
     * {@linkplain LeaderElection#resume resumed}.
     */
    Optional<Pause> pause();

    /**
     * Gives up the leadership. The work has to stop, and the candidate leads until it has. Then the entry is removed,
     * and the candidate stands again, behind the others.
     *
     * @return completes when the store has confirmed the removal; at once if this candidate does not lead
     */
    CompletableFuture<Void> resign();

    /**
     * Hands the leadership over to another candidate, and returns when that one is first.
     *
     * <p>First that candidate must be {@link Candidate#ready}. Then the candidates between are removed, and stand again
     * at the end. Then this candidate's work has to stop; it leads until then. One step removes this candidate's
     * entry and records the hand-over. Terms rise. If the hand-over fails before the work has to stop, this leadership
     * goes on undisturbed. Handing over to itself does nothing.
     *
     * @param candidateId the id of the candidate that is to lead
     * @param timeout how long it may take until that candidate is ready and is next in the line; the work then has its
     *     {@link Candidate#stopTimeout()}. If it does not stop within that, the hand-over is called off, and the term
     *     ends as after {@link #resign()}, with the {@link LastResort}.
     * @throws HandOverException if it failed; the message says why
     * @throws io.baton.OutcomeUnknownException if this candidate has resigned for it, and the store does not say
     *     whether the other one is first
     * @throws IllegalStateException if called by the work itself or from a callback: use {@link #handOverAsync}
     * @throws InterruptedException if interrupted; the hand-over goes on
     */
    void handOver(String candidateId, Duration timeout) throws InterruptedException;

    /** As {@link #handOver} without waiting; the future fails with the same exceptions. */
    @CheckReturnValue
    CompletableFuture<Void> handOverAsync(String candidateId, Duration timeout);

    /**
     * Ends the candidacy as {@link #resign()} does, without standing again. Waits for the work to stop and for the
     * store's confirmation, but no longer than {@link Candidate#stopTimeout()} and then the coordinator's close
     * timeout. Past that both go on. Called by the work itself or from a callback, it does not wait. Idempotent.
     */
    @Override
    void close();

    /**
     * As {@link #close()} without waiting; completes when the work has stopped and the entry is gone. Work that goes on
     * for longer than the coordinator completes it when it returns.
     */
    CompletableFuture<Void> closeAsync();
}
