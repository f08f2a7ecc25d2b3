package io.baton.election;

import io.baton.CheckReturnValue;
import io.baton.CoordinationException;
import io.baton.Subscription;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A candidate in an election, until closed: it stands in the line, leads when it is first, and stands again afterwards,
 * whatever ended the term and whatever becomes of the session.
 *
 * <p><b>Threads.</b> All methods may be called by any thread.
 */
public interface Candidacy extends AutoCloseable {

    /** The candidate. */
    Candidate candidate();

    /** How it does at present. */
    CandidacyState state();

    /**
     * Notifies of the present state, and then of every change, each once and in order, where callbacks run. A listener
     * that falls behind by a thousand is notified of the newest only.
     *
     * <p><b>Not guaranteed.</b> That it is still so when the listener runs. A leader's own reaction to having to stop
     * belongs into its work, or into {@link Leadership#onStop}.
     */
    Subscription onChange(Consumer<CandidacyState> listener);

    /** The present term; empty if this candidate does not lead, or its last term's work has not stopped yet. */
    Optional<Leadership> leadership();

    /** Why this candidate stands in no line at the moment, if it was refused; it tries again. */
    Optional<CoordinationException> trouble();

    /**
     * The pause of the election, as far as this candidate knows; empty if there is none. While paused only the candidate
     * that it names stands; every other one leaves the line, and stands again once the election is {@linkplain
     * LeaderElection#resume resumed}.
     */
    Optional<Pause> pause();

    /**
     * Gives up the leadership: the work is told to stop, and leads on until it has; then the entry is removed, and the
     * candidate stands again, behind the others.
     *
     * @return completes when the store has confirmed the removal; at once if this candidate does not lead
     */
    CompletableFuture<Void> resign();

    /**
     * Hands the leadership over to another candidate, and returns when that one is first. It is asked whether it is {@link
     * Candidate#ready} before anything is done; then those between are removed, who stand again at the end, the work is
     * told to stop, and leads on until it has; and in one step this candidate's entry goes and the record says so. Terms
     * rise. Where it fails before the work was told to stop, nothing has happened to it and this leadership goes on.
     * Handing over to itself does nothing.
     *
     * @param candidateId which one
     * @param timeout how long it may take until that candidate is ready and nobody stands between; the work then has its
     *     {@link Candidate#stopTimeout()}. If it does not stop in that, the hand-over is called off and the term goes on
     *     to its end as after {@link #resign()}, with the {@link LastResort}.
     * @throws HandOverException if it failed; the message says why
     * @throws IllegalStateException if called by the work itself or from a callback: use {@link #handOverAsync}
     * @throws InterruptedException if interrupted; the hand-over goes on
     */
    void handOver(String candidateId, Duration timeout) throws InterruptedException;

    /** As {@link #handOver} without waiting; fails with a {@link HandOverException}. */
    @CheckReturnValue
    CompletableFuture<Void> handOverAsync(String candidateId, Duration timeout);

    /**
     * Ends the candidacy: as {@link #resign()}, and it does not stand again. Waits for the work to stop and for the store's
     * confirmation, but no longer than {@link Candidate#stopTimeout()} and then the coordinator's close timeout; past that
     * both go on. Called by the work itself or from a callback it does not wait. Idempotent.
     */
    @Override
    void close();

    /** As {@link #close()} without waiting; completes when the work has stopped and the entry is gone. */
    CompletableFuture<Void> closeAsync();
}
