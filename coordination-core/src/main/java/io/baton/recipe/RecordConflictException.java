package io.baton.recipe;

import io.baton.CoordinationException;

/** A recipe refuses what was asked for, as its record says something else. Nothing was changed. */
public final class RecordConflictException extends CoordinationException {

    private static final long serialVersionUID = 1L;

    /** Says what the record says. */
    public RecordConflictException(String message) {
        super(message);
    }

    /** Says what the record says, with the exception that was thrown on the loop as the cause. */
    RecordConflictException(String message, Throwable cause) {
        super(message, cause);
    }
}
