package io.baton.spi;

import io.baton.CoordinationException;

/**
 * Receives a contender's progress in a line. The order is {@code waiting}, {@code clear}, {@code lost}, each at most
 * once. Nothing follows {@code lost} or {@link Place#leave}.
 */
public interface PlaceListener {

    /** The contender has joined, and others stand ahead that conflict with its claim. */
    void waiting();

    /**
     * No entry that conflicts stands ahead, and the contender's own entry was there when that was seen. Only {@code lost} ends this.
     * It does not prove that the session is alive now; the caller checks that last.
     */
    void clear(Entry mine);

    /** The entry is not, or no longer, in the line: the session is lost, the entry was removed, or the join failed. */
    void lost(CoordinationException why);
}
