package io.baton.etcd;

import java.util.HashMap;
import java.util.function.LongConsumer;

/** Runs a seed of the lock's simulation. */
final class EtcdLockSimulationSeed implements LongConsumer {

    @Override
    public void accept(long seed) {
        new EtcdLockSimulation(seed).run(new HashMap<>());
    }
}
