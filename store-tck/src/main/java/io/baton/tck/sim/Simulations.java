package io.baton.tck.sim;

import io.baton.tck.sim.config.ConfigRun;
import io.baton.tck.sim.election.ElectionRun;
import io.baton.tck.sim.election.StandbyRun;
import io.baton.tck.sim.lock.Scale;
import io.baton.tck.sim.lock.SimulatedStore;
import io.baton.testkit.sim.SeededRun;
import java.util.HashMap;
import java.util.function.ObjLongConsumer;

/**
 * The simulations on one store. A subclass has a constructor without parameters: planted bugs, and {@code ./mutate}, make
 * it anew from copies of our classes, and run it by the name of the kind and the seed.
 */
public abstract class Simulations implements ObjLongConsumer<String> {

    private final String module;

    /** {@code module} is that of the store, as {@code zk-backend}. */
    protected Simulations(String module) {
        this.module = module;
    }

    /** The servers in the run with this seed. */
    protected abstract SimulatedStore store(SimulationKind kind, long seed);

    /** A run of a lock, and so much more. */
    protected abstract SeededRun locks(long seed, Scale scale);

    /** A run of followers of records. */
    protected abstract SeededRun records(long seed);

    final String module() {
        return module;
    }

    /** The run with this seed, which has not begun. */
    final SeededRun run(SimulationKind kind, long seed) {
        return switch (kind) {
            case LOCKS -> locks(seed, Scale.of(seed));
            case ELECTIONS -> new ElectionRun(store(kind, seed));
            case STANDBYS -> new StandbyRun(store(kind, seed));
            case CONFIG -> new ConfigRun(store(kind, seed));
            case RECORDS -> records(seed);
        };
    }

    @Override
    public final void accept(String kind, long seed) {
        run(SimulationKind.valueOf(kind), seed).run(new HashMap<>());
    }
}
