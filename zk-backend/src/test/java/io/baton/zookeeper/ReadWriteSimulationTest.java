package io.baton.zookeeper;

import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.sim.SimulationKind;
import io.baton.tck.sim.SimulationSuite;
import java.util.List;

/** The read/write lock on simulated ZooKeepers, under faults. */
class ReadWriteSimulationTest extends SimulationSuite {

    ReadWriteSimulationTest() {
        super(new ZooKeeperSimulations(), SimulationKind.READ_WRITE, "zookeeper, readers and writers", 100, 1_000);
    }

    @Override
    protected List<String> events() {
        return List.of("grants past the last number", "leaders killed", "sessions ended by hand", "stale reads");
    }

    @Override
    protected void plant(PlantedBugs bugs) {
        ReadWriteBugs.plant(bugs);
    }
}
