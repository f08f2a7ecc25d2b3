package io.baton;

import org.jspecify.annotations.Nullable;

/**
 * What a contender asks for does not fit what the others of its lock or semaphore use: the size, {@link
 * LockOptions#holdAtLeast}, {@link LockOptions#delayAfterLoss} or the {@link Dialect}. The same call fails again until
 * one of them is changed, so it should not be repeated at once.
 */
public final class IncompatibleOptionsException extends CoordinationException {

    private static final long serialVersionUID = 1L;

    /** Says what happened and what to do. */
    public IncompatibleOptionsException(String message) {
        super(message);
    }

    /** Says what happened, with the store's own exception as the cause. */
    public IncompatibleOptionsException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
