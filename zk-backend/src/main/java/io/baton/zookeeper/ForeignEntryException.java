package io.baton.zookeeper;

import io.baton.CoordinationException;

/** A line holds an entry whose owner would not respect Baton's, or that cannot be ordered with Baton's. */
final class ForeignEntryException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String explanation;

    ForeignEntryException(String explanation) {
        super(explanation);
        this.explanation = explanation;
    }

    /** Returns the exception for the caller of a lock. */
    CoordinationException withContext(String attempt) {
        return new CoordinationException(attempt + ": " + explanation, this);
    }
}
