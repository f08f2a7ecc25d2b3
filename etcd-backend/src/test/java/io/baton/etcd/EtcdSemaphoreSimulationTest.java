package io.baton.etcd;

import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.sim.SimulationKind;
import io.baton.tck.sim.SimulationSuite;
import java.util.List;

/** The semaphore on simulated etcd clusters, under faults. */
class EtcdSemaphoreSimulationTest extends SimulationSuite {

    EtcdSemaphoreSimulationTest() {
        super(new EtcdSimulations(), SimulationKind.SEMAPHORES, "etcd, semaphores", 100, 1_000);
    }

    @Override
    protected List<String> events() {
        return List.of("joins in doubt", "leases revoked by an operator", "moves to another lease");
    }

    @Override
    protected void plant(PlantedBugs bugs) {
        EtcdSemaphoreBugs.plant(bugs);
    }
}
