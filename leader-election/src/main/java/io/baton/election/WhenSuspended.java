package io.baton.election;

/**
 * What a leader does when there is no contact with the store.
 *
 * <p>In contact, setting the wall clock does not by itself end a term. The {@linkplain Leadership#remaining() remaining
 * time} is shorter by the step until the store has confirmed the session. The term goes on unless less than half of the
 * {@link Candidate#stopTimeout()} remains. Steps of up to a quarter of the coordinator's ttl never lead to that. Larger
 * steps cannot be distinguished from a machine that has slept. The node of an {@link ActiveStandby} stops once less
 * remains than all of the time that stopping may take. With such steps it stays active if that is at most a quarter of
 * the ttl.
 */
public enum WhenSuspended {
    /** Stops at once; the term ends even if contact returns soon. */
    STOP,
    /**
     * Goes on for as long as more than the {@link Candidate#stopTimeout()} is left until the deadline. If contact
     * returns in time, the term continues.
     */
    RIDE_OUT
}
