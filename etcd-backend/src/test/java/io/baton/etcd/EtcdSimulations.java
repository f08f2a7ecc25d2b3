package io.baton.etcd;

import io.baton.tck.sim.SimulationKind;
import io.baton.tck.sim.Simulations;
import io.baton.tck.sim.lock.Scale;
import io.baton.tck.sim.lock.SimulatedStore;
import io.baton.testkit.sim.SeededRun;

/** The simulations on etcd. */
final class EtcdSimulations extends Simulations {

    EtcdSimulations() {
        super("etcd-backend");
    }

    @Override
    protected SimulatedStore store(SimulationKind kind, long seed) {
        return new SimulatedEtcd(kind, seed);
    }

    @Override
    protected SeededRun locks(SimulationKind kind, long seed, Scale scale) {
        return new EtcdLockSimulation(kind, seed, scale);
    }

    @Override
    protected SeededRun records(long seed) {
        return new EtcdRecordSimulation(seed);
    }
}
