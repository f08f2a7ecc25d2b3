package io.baton.internal.session;

import io.baton.spi.Session;

/** A part of the coordinator that goes on from one session to the next. On the loop. */
public interface SessionScoped {

    /** In contact: for the first time in this session, or again. */
    void connected(Session now);

    /** Out of contact. */
    default void suspended() {}

    /** The session is over, and with it what was followed and what stood in it. */
    void lost();

    /** The coordinator is being closed: nothing begins any more. */
    void close();
}
