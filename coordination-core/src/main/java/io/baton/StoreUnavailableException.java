package io.baton;

import org.jspecify.annotations.Nullable;

/** The store could not be reached in time. Nothing was applied or will be, so the call can be repeated. */
public final class StoreUnavailableException extends CoordinationException {

    private static final long serialVersionUID = 1L;

    /** Says what happened and what to do. */
    public StoreUnavailableException(String message) {
        super(message);
    }

    /** Says what happened, with the store's own exception as the cause. */
    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
