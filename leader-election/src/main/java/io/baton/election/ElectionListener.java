package io.baton.election;

/** A leader's work. */
@FunctionalInterface
public interface ElectionListener {

    /**
     * Leads. Called on a thread of its own, once for each term, never twice at a time for one candidacy, and only after
     * the store has confirmed that this candidate leads. The leadership lasts until this returns, or is lost.
     *
     * <p>It has to return when it is interrupted, or when {@link Leadership#onStop} fires; {@link
     * Leadership#stopReason()} gives the reason. The entry in the store is removed only after that, so that no other
     * candidate leads meanwhile. Then the candidate stands again, at the end of the line. If this does not return in
     * time, the {@link LastResort} runs.
     *
     * @throws Exception if it cannot go on. The exception is logged and ends the term as returning does. The next
     *     term's work begins after a delay, see {@link LeaderElection#run}
     */
    void onElected(Leadership leadership) throws Exception;
}
