package io.baton.election;

import io.baton.CoordinationException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A candidate in an election, until closed: it stands in the line, leads when it is first, and stands again afterwards,
 * whatever ended the term and whatever becomes of the session.
 *
 * <p><b>Threads.</b> All methods may be called by any thread.
 */
public interface Candidacy extends AutoCloseable {

    /** The candidate. */
    Candidate candidate();

    /** The present term; empty if this candidate does not lead, or its last term's work has not stopped yet. */
    Optional<Leadership> leadership();

    /** Why this candidate stands in no line at the moment, if it was refused; it tries again. */
    Optional<CoordinationException> trouble();

    /**
     * Gives up the leadership: the work is told to stop, and leads on until it has; then the entry is removed, and the
     * candidate stands again, behind the others.
     *
     * @return completes when the store has confirmed the removal; at once if this candidate does not lead
     */
    CompletableFuture<Void> resign();

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
