package io.baton;

import org.jspecify.annotations.Nullable;

/**
 * The hold is no longer valid: its deadline has passed, or its entry was removed. {@link StaleTokenException} says that
 * a resource refused its token.
 */
public class LockLostException extends CoordinationException {

    private static final long serialVersionUID = 1L;

    /** Says what happened and what to do. */
    public LockLostException(String message) {
        super(message);
    }

    /** Says what happened, with the store's own exception as the cause. */
    public LockLostException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
