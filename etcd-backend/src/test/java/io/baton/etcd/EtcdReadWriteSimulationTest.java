package io.baton.etcd;

import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.sim.SimulationKind;
import io.baton.tck.sim.SimulationSuite;
import java.util.List;

/** The read/write lock on simulated etcd clusters, under faults. */
class EtcdReadWriteSimulationTest extends SimulationSuite {

    EtcdReadWriteSimulationTest() {
        super(new EtcdSimulations(), SimulationKind.READ_WRITE, "etcd, readers and writers", 100, 1_000);
    }

    @Override
    protected List<String> events() {
        return List.of("joins in doubt", "leases revoked by an operator", "moves to another lease");
    }

    @Override
    protected void plant(PlantedBugs bugs) {
        EtcdReadWriteBugs.plant(bugs);
    }
}
