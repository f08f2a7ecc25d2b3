package io.baton;

import org.jspecify.annotations.Nullable;

/** A write was sent and not answered: it may have been applied, or not. */
public final class OutcomeUnknownException extends CoordinationException {

    private static final long serialVersionUID = 1L;

    /** Says what happened and what to do. */
    public OutcomeUnknownException(String message) {
        super(message);
    }

    /** Says what happened, with the store's own exception as the cause. */
    public OutcomeUnknownException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
