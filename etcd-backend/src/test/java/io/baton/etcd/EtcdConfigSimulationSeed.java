package io.baton.etcd;

import java.util.HashMap;
import java.util.function.LongConsumer;

/** Runs a seed of the simulation of configuration. */
final class EtcdConfigSimulationSeed implements LongConsumer {

    @Override
    public void accept(long seed) {
        new EtcdConfigSimulation(seed).run(new HashMap<>());
    }
}
