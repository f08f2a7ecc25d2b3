package io.baton.config.internal.follow;

import io.baton.Position;

/**
 * The store's last known position, and how the next snapshot relates to it. A pure function of what was received.
 *
 * <p>An empty history means an absent tree. A change from a known history to another one, or to none, is a reset; a
 * change from none is not.
 *
 * @param at the last position received
 * @param begun whether anything was received
 */
record Continuity(Position at, boolean begun) {

    /** Starts at the position known to an earlier process; nothing was received yet. */
    static Continuity from(Position known) {
        return new Continuity(known, false);
    }

    /** Returns the kind of gap before a snapshot at this position. */
    StoreUpdate.Gap gap(Position next) {
        if (backwards(next)) {
            return StoreUpdate.Gap.REWOUND;
        }
        return begun ? StoreUpdate.Gap.RESYNCED : StoreUpdate.Gap.NONE;
    }

    /** Moves on to this position. */
    Continuity to(Position next) {
        return new Continuity(next, true);
    }

    private boolean backwards(Position next) {
        boolean same = at.history().equals(next.history());
        return same ? next.revision() < at.revision() : !at.history().isEmpty();
    }
}
