package io.baton;

import org.jspecify.annotations.Nullable;

/** A failure between this process and its store. The subclasses define what it means for the caller. */
public class CoordinationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Says what happened and what to do. */
    public CoordinationException(String message) {
        super(message);
    }

    /** Says what happened, with the store's own exception as the cause. */
    public CoordinationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
