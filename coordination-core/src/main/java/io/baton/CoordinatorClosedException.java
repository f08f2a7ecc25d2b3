package io.baton;

import org.jspecify.annotations.Nullable;

/**
 * The coordinator was closed, and every later call to it fails in the same way: do not try again. It is a kind of
 * {@link SessionLostException}, because the session has ended as well. A program that tries again after a lost session
 * handles this one first.
 */
public final class CoordinatorClosedException extends SessionLostException {

    private static final long serialVersionUID = 1L;

    /** Says what happened and what to do. */
    public CoordinatorClosedException(String message) {
        super(message);
    }

    /** Says what happened, with the store's own exception as the cause. */
    public CoordinatorClosedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
