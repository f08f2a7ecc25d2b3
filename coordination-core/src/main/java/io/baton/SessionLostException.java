package io.baton;

import org.jspecify.annotations.Nullable;

/**
 * The session has ended: all entries bound to the session are gone. {@link CoordinatorClosedException} says that the
 * coordinator was closed.
 */
public class SessionLostException extends CoordinationException {

    private static final long serialVersionUID = 1L;

    /** Says what happened and what to do. */
    public SessionLostException(String message) {
        super(message);
    }

    /** Says what happened, with the store's own exception as the cause. */
    public SessionLostException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
