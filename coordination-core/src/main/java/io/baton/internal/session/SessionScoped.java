package io.baton.internal.session;

import io.baton.spi.Session;

/** A part of the coordinator that goes on from one session to the next. On the loop. */
public interface SessionScoped {

    /** In contact: for the first time in this session, or again. */
    void connected(Session now);

    /** Out of contact. */
    default void suspended() {}

    /** There is a better proof that the session is alive. */
    default void proven() {}

    /** The session has ended, with its observations and entries. */
    void lost();

    /** The coordinator closes; nothing begins any more. */
    void close();
}
