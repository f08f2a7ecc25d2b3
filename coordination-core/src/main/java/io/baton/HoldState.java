package io.baton;

/** The states of a hold. */
public enum HoldState {
    /** Valid: no other contender can have been granted. */
    HELD,
    /**
     * Valid until its deadline, but there is no contact with the store, or this machine's clocks disagree. Start
     * nothing that cannot be undone. Followed by HELD, LOST or RELEASED.
     */
    JEOPARDY,
    /** No longer valid: another contender may hold the lock. Final. */
    LOST,
    /** Closed by its owner. Final. */
    RELEASED
}
