package io.baton.tck.sim.recipes;

import io.baton.testkit.sim.SeededRun;
import java.util.HashMap;
import java.util.function.ObjLongConsumer;

/**
 * The simulations of recipes: those that work on records, and on one lock if need be, on simulated records; those that
 * work on lines in whole coordinators.
 */
public final class RecipeSimulations implements ObjLongConsumer<String> {

    /** The recipes. */
    public enum Kind {
        /** Changes of a number. */
        COUNTER,
        /** Unique numbers. */
        SEQUENCE,
        /** Waiting until others are done. */
        LATCH,
        /** Questions that others answer. */
        ASKING,
        /** Numbered places. */
        SEATS,
        /** Rounds that pass together. */
        BARRIER,
        /** Rounds that are entered and left together. */
        DOUBLE_BARRIER,
        /** Who is there. */
        GROUP,
        /** What each of those who are there serves. */
        ASSIGNMENT,
        /** Locks of several keys at once. */
        STRIPED_LOCKS,
        /** A lock that rests between two holds. */
        RESTS,
        /** Holders that are asked to release, and contenders that are evicted. */
        REVOCATION
    }

    /** Creates them; planted bugs do so from copies of Baton's classes. */
    public RecipeSimulations() {}

    /** Creates the run with this seed; it has not started. */
    public static SeededRun run(Kind kind, long seed) {
        return switch (kind) {
            case COUNTER -> new CounterRun(seed);
            case SEQUENCE -> new SequenceRun(seed);
            case LATCH -> new LatchRun(seed);
            case ASKING -> new AskingRun(seed);
            case SEATS -> new SeatsRun(seed);
            case BARRIER -> new BarrierRun(seed);
            case DOUBLE_BARRIER -> new DoubleBarrierRun(seed);
            case GROUP -> new GroupRun(seed);
            case ASSIGNMENT -> new AssignmentRun(seed);
            case STRIPED_LOCKS -> new StripedLocksRun(seed);
            case RESTS -> new RestsRun(seed);
            case REVOCATION -> new RevocationRun(seed);
        };
    }

    @Override
    public void accept(String kind, long seed) {
        run(Kind.valueOf(kind), seed).run(new HashMap<>());
    }
}
