package io.baton.election;

/**
 * What a leader does when there is no contact with the store. In contact a wall clock that is set ends no term: what is
 * left is {@linkplain Leadership#remaining() shown} shorter by the step until the store has confirmed the session, and the
 * term goes on unless less than half of the {@link Candidate#stopTimeout()} remains; steps of up to a quarter of the
 * coordinator's ttl never come to that. Larger ones cannot be told from a machine that has slept.
 */
public enum WhenSuspended {
    /** Stops at once; the term ends, also if there is contact again soon. */
    STOP,
    /**
     * Goes on, for as long as more than the {@link Candidate#stopTimeout()} is left until the deadline. If there is contact
     * again in time, nothing has happened.
     */
    RIDE_OUT
}
