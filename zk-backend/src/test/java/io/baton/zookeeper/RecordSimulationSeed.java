package io.baton.zookeeper;

import java.util.HashMap;
import java.util.function.LongConsumer;

/** Runs a seed of the simulation of records. */
final class RecordSimulationSeed implements LongConsumer {

    @Override
    public void accept(long seed) {
        new RecordSimulation(seed).run(new HashMap<>());
    }
}
