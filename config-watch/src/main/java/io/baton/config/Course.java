package io.baton.config;

import io.baton.Position;

/**
 * Where the store was when it told something last, and what a snapshot means then. A pure function of what was told.
 *
 * @param at the position told last
 * @param named the last one of a history that bore a name; {@code at}, or earlier
 * @param begun whether anything was told
 */
record Course(Position at, Position named, boolean begun) {

    /** Nothing was told, but this is what was known when the process ended that ran before. */
    static Course from(Position known) {
        return new Course(known, known, false);
    }

    /** How a snapshot at this position comes about. */
    News.Gap gap(Position next) {
        if (backwards(next)) {
            return News.Gap.REWOUND;
        }
        return begun ? News.Gap.RESYNCED : News.Gap.NONE;
    }

    /** What was known before a snapshot at this position, for whoever wants to compare. */
    Position before(Position next) {
        return next.history().isEmpty() ? at : named;
    }

    /** The store is here now. */
    Course to(Position next) {
        return new Course(next, next.history().isEmpty() ? named : next, true);
    }

    private boolean backwards(Position next) {
        if (next.history().isEmpty() || named.history().isEmpty()) {
            return at.history().equals(next.history()) && next.revision() < at.revision();
        }
        return !named.history().equals(next.history()) || next.revision() < named.revision();
    }
}
