package io.baton.spi.support;

import io.baton.CoordinationException;
import java.util.Optional;

/**
 * How many entries of a session have been left and may not be removed, as the store refuses it again and again. Each is asked for
 * until it is allowed, so there is a bound: beyond it no further entry is made.
 */
public final class RefusedRemovals {

    /** Far more than come about while somebody looks for the reason. */
    public static final int MOST = 1_000;

    private int count;

    /** None. */
    public RefusedRemovals() {}

    /** One more has been refused for some time. */
    public void add() {
        count++;
    }

    /** It has been removed at last. */
    public void remove() {
        count--;
    }

    /** Why this line is not joined; empty if it is. */
    public Optional<CoordinationException> refusal(Object line) {
        return count < MOST
                ? Optional.empty()
                : Optional.of(new CoordinationException("cannot join " + line + ": " + count
                        + " entries that this session has left may not be removed; let it remove them, or end it"));
    }
}
