package io.baton.etcd;

import java.util.HashMap;
import java.util.function.LongConsumer;

/** Runs a seed of the records' simulation. */
final class EtcdRecordSimulationSeed implements LongConsumer {

    @Override
    public void accept(long seed) {
        new EtcdRecordSimulation(seed).run(new HashMap<>());
    }
}
