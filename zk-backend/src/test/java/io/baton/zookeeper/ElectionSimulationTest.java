package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.testkit.sim.Seeds;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Elections on simulated ZooKeepers, under faults. {@link Seeds} says how to run more seeds, or a single one. */
class ElectionSimulationTest {

    private static final int SEEDS = 200;

    /** What has to have happened in that many runs. */
    private static final List<String> ALL = List.of(
            "changes seen",
            "clients closed",
            "clients killed",
            "elections",
            "entries deleted by hand",
            "expiries",
            "faults",
            "freezes",
            "handed over",
            "handing over refused",
            "last resorts",
            "leaders that lasted",
            "lines followed",
            "sessions ended by hand",
            "suspends",
            "terms",
            "terms lost");

    @Test
    void election_manySeedsOfFaults_oneLeadsAndEverybodyKnows() {
        Map<String, Long> totals =
                new Seeds().run("zookeeper, elections", Seeds.asked(SEEDS), ElectionSimulationTest::run);
        if (Seeds.asked(SEEDS).count() >= SEEDS) {
            assertThat(ALL)
                    .allSatisfy(what ->
                            assertThat(totals.getOrDefault(what, 0L)).as(what).isPositive());
        }
    }

    @Test
    void election_seedsThatEverFailed_doNoMore() {
        new Seeds()
                .run(
                        "zookeeper, elections, once failed",
                        Seeds.of(ElectionSimulationTest.class, "failed-election-seeds"),
                        ElectionSimulationTest::run);
    }

    @Test
    void run_sameSeedTwice_sameTrace() {
        for (long seed : new long[] {1, 17}) {
            var once = new ElectionSimulation(seed);
            var again = new ElectionSimulation(seed);
            once.run(new LinkedHashMap<>());
            again.run(new LinkedHashMap<>());
            assertThat(again.trace().fingerprint()).isEqualTo(once.trace().fingerprint());
        }
    }

    private static boolean run(long seed, Map<String, Long> totals) {
        return new ElectionSimulation(seed).run(totals);
    }
}
