package io.baton.zookeeper;

import java.util.HashMap;
import java.util.function.LongConsumer;

/** Runs a seed of the lock's simulation. */
final class LockSimulationSeed implements LongConsumer {

    @Override
    public void accept(long seed) {
        new LockSimulation(seed).run(new HashMap<>());
    }
}
