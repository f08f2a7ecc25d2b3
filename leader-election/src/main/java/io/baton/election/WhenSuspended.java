package io.baton.election;

/** What a leader does when there is no contact with the store. */
public enum WhenSuspended {
    /** Stops at once; the term ends, also if there is contact again soon. */
    STOP,
    /**
     * Goes on, for as long as more than the {@link Candidate#stopTimeout()} is left until the deadline. If there is contact
     * again in time, nothing has happened.
     */
    RIDE_OUT
}
