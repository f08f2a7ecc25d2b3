package io.baton.chaos.election;

/** What ends a term. */
public enum Cause {
    /** The leader resigns. */
    RESIGNED,
    /** The leader's entry is removed by hand: two may work until it hears of that. */
    REMOVED,
    /** The leader's process is killed. */
    KILLED,
    /** The leader's process is cut off from the servers. */
    CUT_OFF,
    /** The leader's process is stopped. */
    FROZEN;

    /** Whether the leader's process hears nothing of the store for a while, or has gone. */
    boolean endsContact() {
        return this == KILLED || this == CUT_OFF || this == FROZEN;
    }

    /** Whether the leader is to have stopped before the next one begins: it still runs, and has its deadline. */
    boolean letsStopInTime() {
        return this == RESIGNED || this == CUT_OFF;
    }
}
