package io.baton.zookeeper;

import java.util.HashMap;
import java.util.function.LongConsumer;

/** Runs a seed of the simulation of active and standby nodes. */
final class StandbySimulationSeed implements LongConsumer {

    @Override
    public void accept(long seed) {
        new StandbySimulation(seed).run(new HashMap<>());
    }
}
