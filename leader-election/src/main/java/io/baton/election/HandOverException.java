package io.baton.election;

import io.baton.CoordinationException;
import org.jspecify.annotations.Nullable;

/**
 * A leadership was not handed over in time; the message says why. The leader goes on leading unless the message says
 * otherwise. Where the store does not say how a hand-over has ended, it is an {@link
 * io.baton.OutcomeUnknownException}.
 */
public final class HandOverException extends CoordinationException {

    private static final long serialVersionUID = 1L;

    /** Says why. */
    public HandOverException(String message) {
        super(message);
    }

    /** Says why, with the cause. */
    public HandOverException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
