package io.baton.internal.session;

import io.baton.spi.Session;

/** A part that begins anew in each session, such as an observation. On the loop. */
public interface SessionBound {

    /** In contact; before {@link #begin}, and again after each break. */
    default void connected() {}

    /** Out of contact. */
    default void suspended() {}

    /** There is a better proof that the session is alive. */
    default void proven() {}

    /** Begins in a new session. */
    void begin(Session session);

    /** The session has ended, and this with it. */
    void lost();

    /** Ends it for good; may be called again. */
    void stop();
}
