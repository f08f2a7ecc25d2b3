package io.baton.spi;

import io.baton.CoordinationException;
import java.util.Optional;

/** Receives a session's events, on its loop, in order. */
public interface SessionListener {

    /**
     * The session is in contact. A place whose entry is known to be gone by then was told before; the others are
     * unchanged. {@link Session#proof()} may end earlier than before if the store has granted a smaller timeout.
     */
    void connected();

    /** The session is out of contact; it may still be alive. */
    void suspended();

    /** {@link Session#proof()} has become better. */
    void proven();

    /** The session has ended for good. All its places have received {@link PlaceListener#lost} before. Called once. */
    void lost(CoordinationException why);

    /**
     * A request is refused or fails repeatedly, and the store keeps trying; may be called for every attempt. Operators
     * see it in the log, now and then, and in {@link io.baton.Coordinator#trouble()}.
     *
     * @param what what does not work, and where; always the same words for the same trouble
     * @param why the reason, in the store's own words if it gives any
     */
    default void troubled(String what, String why) {}

    /**
     * The trouble of this name is over, or its request is no longer wanted; it may never have been reported.
     * {@link #lost} ends all troubles.
     */
    default void resolved(String what) {}

    /**
     * Returns the listener for the cost of each request, if there is one. A store need not report requests, and need
     * not measure them if this is empty. Called when the session is opened.
     */
    default Optional<RequestListener> requestListener() {
        return Optional.empty();
    }
}
