package io.baton.zookeeper;

import io.baton.tck.mutation.CohortBugs;
import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.sim.SimulationKind;
import io.baton.tck.sim.SimulationSuite;
import java.util.List;

/** A lock with places that owners share on simulated ZooKeepers, under faults. */
class CohortSimulationTest extends SimulationSuite {

    CohortSimulationTest() {
        super(new ZooKeeperSimulations(), SimulationKind.COHORTS, "zookeeper, cohorts", 100, 1_000);
    }

    @Override
    protected List<String> events() {
        return List.of("grants past the last number", "leaders killed", "sessions ended by hand", "stale reads");
    }

    @Override
    protected void plant(PlantedBugs bugs) {
        CohortBugs.plant(bugs);
        CohortBugs.plantFurther(bugs);
    }
}
