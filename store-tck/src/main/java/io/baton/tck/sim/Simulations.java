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
 * The simulations on one store. A subclass has a constructor without parameters: planted bugs and {@code ./mutate}
 * create it from copies of Baton's classes, and run it by kind and seed.
 */
public abstract class Simulations implements ObjLongConsumer<String> {

    private final String module;

    /** {@code module} is the store's module, as {@code zk-backend}. */
    protected Simulations(String module) {
        this.module = module;
    }

    /** Creates the servers for the run with this seed. */
    protected abstract SimulatedStore store(SimulationKind kind, long seed);

    /** Creates a run of a lock, or of a recipe like it, at this scale. */
    protected abstract SeededRun locks(SimulationKind kind, long seed, Scale scale);

    /** Creates a run of followers of records. */
    protected abstract SeededRun records(long seed);

    final String module() {
        return module;
    }

    /** Creates the run with this seed; it has not started. */
    final SeededRun run(SimulationKind kind, long seed) {
        return switch (kind) {
            case LOCKS -> locks(kind, seed, Scale.of(seed));
            case READ_WRITE, SEMAPHORES, COHORTS -> locks(kind, seed, Scale.ofOneLine(seed));
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
