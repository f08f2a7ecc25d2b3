package io.baton;

/** The states of a hold. */
public enum HoldState {
    /** Valid: no conflicting contender can have been granted; see {@link Hold}. */
    HELD,
    /**
     * Valid until its deadline, but there is no contact with the store, or this machine's clocks disagree. Start
     * nothing that cannot be undone. Followed by HELD, LOST or RELEASED.
     */
    JEOPARDY,
    /** No longer valid: a conflicting contender may hold. Final. */
    LOST,
    /** Closed by its owner. Final. */
    RELEASED
}
