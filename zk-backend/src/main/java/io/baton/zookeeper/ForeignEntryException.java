package io.baton.zookeeper;

import io.baton.IncompatibleOptionsException;

/** A line holds an entry whose owner would not respect Baton's, or that cannot be ordered with Baton's. */
final class ForeignEntryException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String explanation;

    ForeignEntryException(String explanation) {
        super(explanation);
        this.explanation = explanation;
    }

    /** Returns the exception for the caller of a lock. */
    IncompatibleOptionsException withContext(String attempt) {
        return new IncompatibleOptionsException(attempt + ": " + explanation, this);
    }
}
