package io.baton.etcd;

import io.baton.tck.mutation.CohortBugs;
import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.sim.SimulationKind;
import io.baton.tck.sim.SimulationSuite;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A lock with places that owners share on simulated etcd clusters, under faults. */
class EtcdCohortSimulationTest extends SimulationSuite {

    EtcdCohortSimulationTest() {
        super(new EtcdSimulations(), SimulationKind.COHORTS, "etcd, cohorts", 100, 1_000);
    }

    @Override
    protected List<String> events() {
        return List.of("joins in doubt", "leases revoked by an operator", "moves to another lease");
    }

    @Override
    protected void plant(PlantedBugs bugs) {
        CohortBugs.plant(bugs);
    }

    /** Most of them are in what stores have in common: every day they are planted on ZooKeeper alone. */
    @Test
    @Tag("long")
    @Override
    protected void simulation_bugPlantedInACopy_isFound() {
        super.simulation_bugPlantedInACopy_isFound();
    }
}
