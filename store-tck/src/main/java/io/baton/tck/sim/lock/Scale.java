package io.baton.tck.sim.lock;

import java.util.SplittableRandom;

/**
 * What a run has beyond three clients on one lock. It is drawn from generators of its own, so runs without additions
 * take the same course as before.
 *
 * @param sideLocks whether each client contends on two more locks, which are held for long
 * @param crowd the number of contenders on one lock in one more client, which holds another lock for long; 0 for none
 * @param foreigners the number of entries of other programs that join the line at once and leave one by one
 * @param queue the number of further clients on the main lock, which hold it for a moment: its line is long
 * @param chance the generator for what these do
 */
public record Scale(boolean sideLocks, int crowd, int foreigners, int queue, SplittableRandom chance) {

    private static final long OTHER_SEEDS = 0x5ca1ab1e5ca1ab1eL;
    private static final long SEEDS_OF_QUEUES = 0x0ddba11cafe0ddL;

    /** No additions. */
    public static Scale none() {
        return new Scale(false, 0, 0, 0, new SplittableRandom(OTHER_SEEDS));
    }

    /** The scale of the run with this seed. */
    public static Scale of(long seed) {
        var chance = new SplittableRandom(seed ^ OTHER_SEEDS);
        boolean sideLocks = chance.nextInt(4) == 0;
        int crowd = chance.nextInt(128) == 0 ? 50 << chance.nextInt(3) : 0;
        int foreigners = chance.nextInt(128) == 0 ? chance.nextInt(50, 600) : 0;
        return new Scale(sideLocks, crowd, foreigners, queue(seed), chance);
    }

    /** The scale of the run with this seed, where all clients contend in one line. */
    public static Scale ofOneLine(long seed) {
        return new Scale(false, 0, 0, queue(seed), new SplittableRandom(seed ^ OTHER_SEEDS));
    }

    /** The number of further clients, or candidates, in the run with this seed: none in most runs. */
    public static int queue(long seed) {
        var chance = new SplittableRandom(seed ^ SEEDS_OF_QUEUES);
        return chance.nextInt(8) == 0 ? chance.nextInt(4, 8) : 0;
    }

    /** The same without the crowd, for stores where each of its hand-offs would wait for an audit. */
    public Scale withoutCrowd() {
        return new Scale(sideLocks, 0, foreigners, queue, chance);
    }
}
