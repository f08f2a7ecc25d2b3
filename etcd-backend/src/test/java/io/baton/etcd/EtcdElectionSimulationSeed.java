package io.baton.etcd;

import java.util.HashMap;
import java.util.function.LongConsumer;

/** Runs a seed of the election's simulation. */
final class EtcdElectionSimulationSeed implements LongConsumer {

    @Override
    public void accept(long seed) {
        new EtcdElectionSimulation(seed).run(new HashMap<>());
    }
}
