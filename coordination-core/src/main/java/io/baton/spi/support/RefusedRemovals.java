package io.baton.spi.support;

import io.baton.CoordinationException;
import java.util.Optional;

/**
 * Counts the entries that a session has left but cannot remove, because the store keeps refusing. The removal of each
 * is retried until it is allowed, so their number is bounded: beyond the bound no further entry is made.
 */
public final class RefusedRemovals {

    /** Far more than accumulate while an operator looks for the reason. */
    public static final int MOST = 1_000;

    private int count;

    /** Starts with none. */
    public RefusedRemovals() {}

    /** One more removal has been refused for some time. */
    public void add() {
        count++;
    }

    /** One of these entries has been removed. */
    public void remove() {
        count--;
    }

    /** Returns why this line may not be joined; empty if it may. */
    public Optional<CoordinationException> refusal(Object line) {
        return count < MOST
                ? Optional.empty()
                : Optional.of(new CoordinationException("cannot join " + line + ": " + count
                        + " entries that this session has left may not be removed; let it remove them, or end it"));
    }
}
