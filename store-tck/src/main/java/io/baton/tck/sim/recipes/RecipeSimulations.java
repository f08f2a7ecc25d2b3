package io.baton.tck.sim.recipes;

import io.baton.testkit.sim.SeededRun;
import java.util.HashMap;
import java.util.function.ObjLongConsumer;

/** The simulations of recipes that work on records alone. */
public final class RecipeSimulations implements ObjLongConsumer<String> {

    /** The recipes. */
    public enum Kind {
        /** Changes of a number. */
        COUNTER,
        /** Unique numbers. */
        SEQUENCE
    }

    /** Creates them; planted bugs do so from copies of Baton's classes. */
    public RecipeSimulations() {}

    /** Creates the run with this seed; it has not started. */
    public static SeededRun run(Kind kind, long seed) {
        return switch (kind) {
            case COUNTER -> new CounterRun(seed);
            case SEQUENCE -> new SequenceRun(seed);
        };
    }

    @Override
    public void accept(String kind, long seed) {
        run(Kind.valueOf(kind), seed).run(new HashMap<>());
    }
}
