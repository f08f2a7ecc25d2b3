package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.testkit.sim.Seeds;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Followers of records on simulated ZooKeepers, under faults. {@link Seeds} says how to run more seeds, or a single one. */
class RecordSimulationTest {

    private static final int SEEDS = 100;

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
        Map<String, Long> totals = new Seeds().run("zookeeper, records", Seeds.asked(SEEDS), RecordSimulationTest::run);
        if (Seeds.asked(SEEDS).count() >= SEEDS) {
            assertThat(ALL)
                    .allSatisfy(what ->
                            assertThat(totals.getOrDefault(what, 0L)).as(what).isPositive());
        }
    }

    @Test
    void run_sameSeedTwice_sameTrace() {
        for (long seed : new long[] {1, 17}) {
            var once = new RecordSimulation(seed);
            var again = new RecordSimulation(seed);
            once.run(new LinkedHashMap<>());
            again.run(new LinkedHashMap<>());
            assertThat(again.trace().fingerprint()).isEqualTo(once.trace().fingerprint());
        }
    }

    private static boolean run(long seed, Map<String, Long> totals) {
        return new RecordSimulation(seed).run(totals);
    }
}
