package io.baton.examples.races;

import java.time.Duration;

/**
 * What is played.
 *
 * @param buyers how many buy at once
 * @param stock how much there is
 * @param amount how much a purchase takes
 * @param untilSoldOut whether each buys until nothing is left; otherwise once
 * @param work how long a purchase works between reading and writing
 * @param frozen whether one of them is frozen once while it works, for longer than its lock lasts
 */
record RaceRules(int buyers, int stock, int amount, boolean untilSoldOut, Duration work, boolean frozen) {

    /** The same with one that is frozen, or without. */
    RaceRules frozen(boolean one) {
        return new RaceRules(buyers, stock, amount, untilSoldOut, work, one);
    }
}
