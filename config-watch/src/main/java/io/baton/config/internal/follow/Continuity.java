package io.baton.config.internal.follow;

import io.baton.Position;

/**
 * Where the store was when it told something last, and what a snapshot means then. A pure function of what was told.
 *
 * <p>A history without a name is that of a tree that is not there: what was known of another one has gone as a whole, and what is
 * made there later is no surprise.
 *
 * @param at the position told last
 * @param begun whether anything was told
 */
record Continuity(Position at, boolean begun) {

    /** Nothing was told, but this is what was known when the process ended that ran before. */
    static Continuity from(Position known) {
        return new Continuity(known, false);
    }

    /** How a snapshot at this position comes about. */
    StoreUpdate.Gap gap(Position next) {
        if (backwards(next)) {
            return StoreUpdate.Gap.REWOUND;
        }
        return begun ? StoreUpdate.Gap.RESYNCED : StoreUpdate.Gap.NONE;
    }

    /** The store is here now. */
    Continuity to(Position next) {
        return new Continuity(next, true);
    }

    private boolean backwards(Position next) {
        boolean same = at.history().equals(next.history());
        return same ? next.revision() < at.revision() : !at.history().isEmpty();
    }
}
