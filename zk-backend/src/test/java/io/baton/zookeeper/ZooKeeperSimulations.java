package io.baton.zookeeper;

import io.baton.tck.sim.SimulationKind;
import io.baton.tck.sim.Simulations;
import io.baton.tck.sim.lock.Scale;
import io.baton.tck.sim.lock.SimulatedStore;
import io.baton.testkit.sim.SeededRun;

/** The simulations on ZooKeeper. */
final class ZooKeeperSimulations extends Simulations {

    ZooKeeperSimulations() {
        super("zk-backend");
    }

    @Override
    protected SimulatedStore store(SimulationKind kind, long seed) {
        return new SimulatedZooKeeper(kind, seed);
    }

    @Override
    protected SeededRun locks(SimulationKind kind, long seed, Scale scale) {
        return new LockSimulation(kind, seed, scale);
    }

    @Override
    protected SeededRun records(long seed) {
        return new RecordSimulation(seed);
    }
}
