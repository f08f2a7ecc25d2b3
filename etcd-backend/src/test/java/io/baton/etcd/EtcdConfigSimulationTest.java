package io.baton.etcd;

import io.baton.tck.mutation.ConfigBugs;
import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.sim.SimulationKind;
import io.baton.tck.sim.SimulationSuite;
import java.util.List;

/** Configuration on simulated etcd clusters, under faults. */
class EtcdConfigSimulationTest extends SimulationSuite {

    EtcdConfigSimulationTest() {
        super(new EtcdSimulations(), SimulationKind.CONFIG, "etcd, configuration", 40, 200);
    }

    @Override
    protected List<String> events() {
        return List.of("leases revoked by an operator");
    }

    @Override
    protected void plant(PlantedBugs bugs) {
        ConfigBugs.plant(bugs);
    }
}
