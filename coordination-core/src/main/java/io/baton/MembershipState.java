package io.baton;

/** Whether a member is in, as the member itself knows it. */
public enum MembershipState {
    /** Not in, or its deadline has passed. Baton joins, for the first time or again, as soon as it can. */
    JOINING,
    /** In: the entry stands, and the session is proven alive. */
    JOINED,
    /**
     * In until its deadline, but out of contact with the store, or the machine's clocks disagree, as after a sleep. It is
     * certain for as long as the remaining time says, which may be zero.
     */
    JEOPARDY,
    /** Left for good. Final. */
    CLOSED
}
