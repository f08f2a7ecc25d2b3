package io.baton.zookeeper;

import java.util.HashMap;
import java.util.function.LongConsumer;

/** Runs a seed of the election's simulation. */
final class ElectionSimulationSeed implements LongConsumer {

    @Override
    public void accept(long seed) {
        new ElectionSimulation(seed).run(new HashMap<>());
    }
}
