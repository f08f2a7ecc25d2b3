package io.baton.tck.sim.lock;

import java.util.SplittableRandom;

/**
 * What a run has beyond three clients on one lock. It is drawn from its own generator, so runs without additions take
 * the same course as before.
 *
 * @param sideLocks whether each client contends on two more locks, which are held for long
 * @param crowd the number of contenders on one lock in one more client, which holds another lock for long; 0 for none
 * @param foreigners the number of entries of other programs that join the line at once and leave one by one
 * @param chance the generator for all of these
 */
public record Scale(boolean sideLocks, int crowd, int foreigners, SplittableRandom chance) {

    private static final long OTHER_SEEDS = 0x5ca1ab1e5ca1ab1eL;

    /** No additions. */
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

    /** The same without the crowd, for stores where each of its hand-offs would wait for an audit. */
    public Scale withoutCrowd() {
        return new Scale(sideLocks, 0, foreigners, chance);
    }
}
