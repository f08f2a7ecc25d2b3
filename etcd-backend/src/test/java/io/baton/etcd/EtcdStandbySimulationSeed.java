package io.baton.etcd;

import java.util.HashMap;
import java.util.function.LongConsumer;

/** Runs a seed of the simulation of active and standby nodes. */
final class EtcdStandbySimulationSeed implements LongConsumer {

    @Override
    public void accept(long seed) {
        new EtcdStandbySimulation(seed).run(new HashMap<>());
    }
}
