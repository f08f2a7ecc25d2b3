package io.baton.chaos.check;

import io.baton.chaos.history.Event;

/**
 * The options of the lock of a hold; all zero for a plain one.
 *
 * @param handOvers the most hand-overs in a row within a process while others wait
 * @param holdAtLeast for how long others are kept out from a grant on
 * @param delayAfterLoss for how long the lock rests after a hold that was not released
 */
record Terms(long handOvers, long holdAtLeast, long delayAfterLoss) {

    /** Those with which an event says that a hold was granted. */
    static Terms of(Event granted) {
        return new Terms(number(granted, "hand-overs"), number(granted, "at-least"), number(granted, "after-loss"));
    }

    private static long number(Event granted, String key) {
        return granted.has(key) ? granted.number(key) : 0;
    }

    /** Whether the lock may rest between two holds. */
    boolean rests() {
        return rest() > 0;
    }

    /** For how long it rests at most, once the store knows that a hold has ended. */
    long rest() {
        return Math.max(holdAtLeast, delayAfterLoss);
    }
}
