package io.baton.etcd;

import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.mutation.StandbyBugs;
import io.baton.tck.sim.SimulationKind;
import io.baton.tck.sim.SimulationSuite;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Active and standby nodes on simulated etcd clusters, under faults. */
class EtcdStandbySimulationTest extends SimulationSuite {

    EtcdStandbySimulationTest() {
        super(new EtcdSimulations(), SimulationKind.STANDBYS, "etcd, standbys", 100, 1_000);
    }

    @Override
    protected List<String> events() {
        return List.of("leases revoked by an operator");
    }

    @Override
    protected void plant(PlantedBugs bugs) {
        StandbyBugs.plant(bugs);
    }

    /** All of them are in what stores have in common: every day they are planted on ZooKeeper alone. */
    @Test
    @Tag("long")
    @Override
    protected void simulation_bugPlantedInACopy_isFound() {
        super.simulation_bugPlantedInACopy_isFound();
    }
}
