package io.baton;

/** Whether a member is in, as the member itself knows it. */
public enum MembershipState {
    /** Not certain to be in. Baton joins, for the first time or again, as soon as it can. */
    JOINING,
    /** In: the entry stands, and the session is proven alive. */
    JOINED,
    /** Still certain to be in, but out of contact with the store, or the machine's clocks disagree. */
    JEOPARDY,
    /** Left for good. Final. */
    CLOSED
}
