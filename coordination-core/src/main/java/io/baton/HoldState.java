package io.baton;

/** What a hold is worth right now. */
public enum HoldState {
    /** Valid: nobody else can have been granted. */
    HELD,
    /**
     * Valid until its deadline, but out of contact with the store, or this machine's clocks disagree: start nothing
     * that cannot be undone. Ends in HELD or LOST.
     */
    JEOPARDY,
    /** No longer valid: somebody else may hold. Final. */
    LOST,
    /** Closed by its owner. Final. */
    RELEASED
}
