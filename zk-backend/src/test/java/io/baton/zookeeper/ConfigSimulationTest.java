package io.baton.zookeeper;

import io.baton.tck.mutation.ConfigBugs;
import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.sim.SimulationKind;
import io.baton.tck.sim.SimulationSuite;
import java.util.List;

/** Configuration on simulated ZooKeepers, under faults. */
class ConfigSimulationTest extends SimulationSuite {

    ConfigSimulationTest() {
        super(new ZooKeeperSimulations(), SimulationKind.CONFIG, "zookeeper, configuration", 100, 200);
    }

    @Override
    protected List<String> events() {
        return List.of("sessions ended by hand");
    }

    @Override
    protected void plant(PlantedBugs bugs) {
        ConfigBugs.plant(bugs);
        ConfigBugs.plantDoubts(bugs);
        ConfigBugs.plantAtCanaryEnds(bugs);
    }
}
