package io.baton.zookeeper;

import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.mutation.StandbyBugs;
import io.baton.tck.sim.SimulationKind;
import io.baton.tck.sim.SimulationSuite;
import java.util.List;

/** Active and standby nodes on simulated ZooKeepers, under faults. */
class StandbySimulationTest extends SimulationSuite {

    StandbySimulationTest() {
        super(new ZooKeeperSimulations(), SimulationKind.STANDBYS, "zookeeper, standbys", 100, 300);
    }

    @Override
    protected List<String> events() {
        return List.of("sessions ended by hand");
    }

    @Override
    protected void plant(PlantedBugs bugs) {
        StandbyBugs.plant(bugs);
    }
}
