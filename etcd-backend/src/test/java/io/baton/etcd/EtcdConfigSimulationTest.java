package io.baton.etcd;

import io.baton.tck.mutation.ConfigBugs;
import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.sim.SimulationKind;
import io.baton.tck.sim.SimulationSuite;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Configuration on simulated etcd clusters, under faults. */
class EtcdConfigSimulationTest extends SimulationSuite {

    EtcdConfigSimulationTest() {
        super(new EtcdSimulations(), SimulationKind.CONFIG, "etcd, configuration", 100, 200);
    }

    @Override
    protected List<String> events() {
        return List.of("leases revoked by an operator");
    }

    @Override
    protected void plant(PlantedBugs bugs) {
        ConfigBugs.plant(bugs);
    }

    /** All of them are in what stores have in common: every day they are planted on ZooKeeper alone. */
    @Test
    @Tag("long")
    @Override
    protected void simulation_bugPlantedInACopy_isFound() {
        super.simulation_bugPlantedInACopy_isFound();
    }
}
