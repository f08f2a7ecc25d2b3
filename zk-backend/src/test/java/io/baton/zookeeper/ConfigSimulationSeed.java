package io.baton.zookeeper;

import java.util.HashMap;
import java.util.function.LongConsumer;

/** Runs a seed of the simulation of configuration. */
final class ConfigSimulationSeed implements LongConsumer {

    @Override
    public void accept(long seed) {
        new ConfigSimulation(seed).run(new HashMap<>());
    }
}
