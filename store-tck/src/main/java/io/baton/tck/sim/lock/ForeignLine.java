package io.baton.tck.sim.lock;

import io.baton.testkit.sim.Simulation;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/** Entries of other programs that join the line at once and make it long. They leave one by one, the first first. */
public final class ForeignLine {

    private static final long MILLI = 1_000_000;
    private static final long RETRY_NANOS = 200 * MILLI;

    private final Simulation sim;
    private final IntPredicate leave;
    private final int many;
    private final long apartNanos;

    /**
     * Joins within the first 15 s, and leaves within 15 s more.
     *
     * @param join adds the entry of this number to the line
     * @param leave removes it; false if it has to be called again
     */
    public ForeignLine(Simulation sim, SplittableRandom chance, int many, IntConsumer join, IntPredicate leave) {
        this.sim = sim;
        this.leave = leave;
        this.many = many;
        this.apartNanos = chance.nextLong(15_000 * MILLI) / many;
        sim.at(chance.nextLong(15_000 * MILLI), () -> {
            for (int i = 0; i < many; i++) {
                join.accept(i);
            }
            leave(0);
        });
    }

    private void leave(int which) {
        if (!leave.test(which)) {
            sim.at(sim.now() + RETRY_NANOS, () -> leave(which));
        } else if (which + 1 < many) {
            sim.at(sim.now() + apartNanos, () -> leave(which + 1));
        }
    }
}
