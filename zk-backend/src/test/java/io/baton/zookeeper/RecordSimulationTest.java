package io.baton.zookeeper;

import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.sim.SimulationKind;
import io.baton.tck.sim.SimulationSuite;
import java.util.List;

/** Followers of records on simulated ZooKeepers, under faults. */
class RecordSimulationTest extends SimulationSuite {

    RecordSimulationTest() {
        super(new ZooKeeperSimulations(), SimulationKind.RECORDS, "zookeeper, records", 100, 300);
    }

    @Override
    protected List<String> events() {
        return List.of(
                "clients moved to a server that is behind",
                "expiries",
                "histories that have changed",
                "roots deleted",
                "sessions ended by hand",
                "states told that never were",
                "storms",
                "watches that a server forgot");
    }

    @Override
    protected void plant(PlantedBugs bugs) {
        RecordBugs.plant(bugs);
    }
}
