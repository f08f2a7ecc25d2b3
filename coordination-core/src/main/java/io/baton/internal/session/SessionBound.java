package io.baton.internal.session;

import io.baton.spi.Session;

/** What is begun anew in each session, as something that is followed. On the loop. */
public interface SessionBound {

    /** In contact; before {@link #begin}, and again after each break. */
    default void connected() {}

    /** Out of contact. */
    default void suspended() {}

    /** There is another session. */
    void begin(Session session);

    /** The session has ended it. */
    void lost();

    /** Ends it for good; may be called again. */
    void stop();
}
