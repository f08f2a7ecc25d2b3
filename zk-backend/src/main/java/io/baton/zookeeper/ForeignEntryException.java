package io.baton.zookeeper;

import io.baton.CoordinationException;

/** A line holds an entry whose owner would not respect ours, or cannot be put in order with it. */
final class ForeignEntryException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String explanation;

    ForeignEntryException(String explanation) {
        super(explanation);
        this.explanation = explanation;
    }

    /** The same, as what the caller of a lock is told. */
    CoordinationException withContext(String attempt) {
        return new CoordinationException(attempt + ": " + explanation, this);
    }
}
