package io.baton.recipes;

import io.baton.CoordinationException;

/** There is no answer in the time to wait for it. */
public final class NotAnsweredException extends CoordinationException {

    private static final long serialVersionUID = 1L;

    private final boolean mayHaveBegun;

    /** Creates the exception. */
    public NotAnsweredException(String message, boolean mayHaveBegun) {
        super(message);
        this.mayHaveBegun = mayHaveBegun;
    }

    /**
     * Returns whether a process may have begun with the question. If not, the question has been withdrawn: no process
     * has begun, and none will.
     */
    public boolean mayHaveBegun() {
        return mayHaveBegun;
    }
}
