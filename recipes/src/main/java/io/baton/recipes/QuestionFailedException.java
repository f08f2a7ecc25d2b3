package io.baton.recipes;

import io.baton.CoordinationException;

/** The handler that served the question has failed; the message is the handler's. This is the answer, and it stays. */
public final class QuestionFailedException extends CoordinationException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception. */
    public QuestionFailedException(String message) {
        super(message);
    }
}
