package io.baton;

import org.jspecify.annotations.Nullable;

/**
 * {@link CoordinatorOptions#maxWaiting()} acquisitions are under way in the coordinator, or {@link
 * LockOptions#holdAtLeast} keeps as many of its released holds. Nothing was asked of the store, and the call can be
 * repeated once some have ended.
 */
public final class TooManyWaitersException extends CoordinationException {

    private static final long serialVersionUID = 1L;

    /** Says what happened and what to do. */
    public TooManyWaitersException(String message) {
        super(message);
    }

    /** Says what happened, with the store's own exception as the cause. */
    public TooManyWaitersException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
