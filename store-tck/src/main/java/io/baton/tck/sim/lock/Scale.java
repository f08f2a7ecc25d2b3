package io.baton.tck.sim.lock;

import java.util.SplittableRandom;

/**
 * How much more than three clients on one lock a run has. Drawn from a generator of its own, so that runs with nothing more
 * take the same course as they would without it.
 *
 * @param sideLocks whether each client contends on two more locks, which are held for long
 * @param crowd how many contend on one lock in one more client, which holds another lock for long; 0 for no such client
 * @param foreigners how many entries of other programs come into the line at once, and go one by one
 * @param chance for what is done with them
 */
public record Scale(boolean sideLocks, int crowd, int foreigners, SplittableRandom chance) {

    private static final long OTHER_SEEDS = 0x5ca1ab1e5ca1ab1eL;

    /** Nothing more. */
    public static Scale none() {
        return new Scale(false, 0, 0, new SplittableRandom(OTHER_SEEDS));
    }

    /** The scale of the run with this seed. */
    public static Scale of(long seed) {
        var chance = new SplittableRandom(seed ^ OTHER_SEEDS);
        boolean sideLocks = chance.nextInt(4) == 0;
        int crowd = chance.nextInt(128) == 0 ? 50 << chance.nextInt(3) : 0;
        int foreigners = chance.nextInt(128) == 0 ? chance.nextInt(50, 600) : 0;
        return new Scale(sideLocks, crowd, foreigners, chance);
    }

    /** Without the crowd, where each of its hand-offs would have to wait for an audit. */
    public Scale withoutCrowd() {
        return new Scale(sideLocks, 0, foreigners, chance);
    }
}
