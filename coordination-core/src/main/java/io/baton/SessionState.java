package io.baton;

/** The states of a coordinator's contact with its store. */
public enum SessionState {
    /** In contact. */
    CONNECTED,
    /** Out of contact. Holds stay valid until their deadline, and waiters keep their places. */
    SUSPENDED,
    /** The session has ended: holds and places are gone. A new session is being opened. */
    LOST,
    /** The coordinator was closed. Final. */
    CLOSED
}
