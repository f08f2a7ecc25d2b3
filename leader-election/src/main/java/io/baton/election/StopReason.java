package io.baton.election;

/** Why a leader has to stop. */
public enum StopReason {
    /** There is no contact with the store; the leadership may last until its deadline. */
    JEOPARDY,
    /** The leadership is lost: another candidate may lead. */
    LOST,
    /** The candidate resigns; it leads until its work has stopped. */
    RESIGNED,
    /** The leadership is handed over; the candidate leads until its work has stopped, and then the other one does. */
    HANDED_OVER,
    /** The candidacy or its coordinator is being closed; it leads until its work has stopped. */
    CLOSED
}
