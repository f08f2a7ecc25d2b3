package io.baton.zookeeper;

import io.baton.testkit.LongRun;
import io.baton.testkit.sim.Seeds;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Followers of records on simulated ZooKeepers, under faults. {@link Seeds} says how to run more seeds, or a single one. */
class RecordSimulationTest {

    private static final int SEEDS = LongRun.rounds(50, 100);

    /** What has to have happened in that many runs. */
    private static final List<String> ALL = List.of(
            "batches of one",
            "batches of several",
            "clients closed",
            "clients killed",
            "clients moved to a server that is behind",
            "disconnects",
            "elections",
            "expiries",
            "faults",
            "histories that have changed",
            "records recreated",
            "roots deleted",
            "sessions ended by hand",
            "snapshots after a gap",
            "states told that never were",
            "storms",
            "transactions over several records",
            "watches that a server forgot");

    @Test
    void records_manySeedsOfFaults_everyStateToldWasThereAndTheLastIsTold() {
        new Seeds().runAsked("zookeeper, records", SEEDS, RecordSimulation::new, ALL);
    }

    @Test
    void run_sameSeedTwice_sameTrace() {
        Seeds.checkRepeatable(RecordSimulation::new, 1, 17);
    }
}
