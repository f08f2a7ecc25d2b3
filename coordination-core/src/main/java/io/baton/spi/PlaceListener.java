package io.baton.spi;

import io.baton.CoordinationException;

/**
 * Where a contender stands. The order is: {@code waiting} at most once, then {@code clear} at most once, then
 * {@code lost} at most once; nothing after {@code lost} or after {@link Place#leave}.
 */
public interface PlaceListener {

    /** Joined, and others stand ahead. */
    void waiting();

    /**
     * Nobody stands ahead any more, and the own entry stood there when that was seen. Stable: only {@code lost} ends
     * it. It says nothing of the session being alive now, which is the caller's to check last.
     */
    void clear(Entry mine);

    /** The entry is not in the line (any more): the session is lost, somebody removed it, or the join failed. */
    void lost(CoordinationException why);
}
