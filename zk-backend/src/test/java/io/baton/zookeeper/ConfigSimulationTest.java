package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.testkit.sim.Seeds;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Configuration on simulated ZooKeepers, under faults. {@link Seeds} says how to run more seeds, or a single one. */
class ConfigSimulationTest {

    private static final int SEEDS = 40;

    /** What has to have happened in that many runs. */
    private static final List<String> ALL = List.of(
            "changes",
            "changes in doubt",
            "clients closed",
            "clients killed",
            "elections",
            "expiries",
            "faults",
            "freezes",
            "resynced",
            "sessions ended by hand",
            "states applied",
            "states rejected",
            "suspends");

    @Test
    void config_manySeedsOfFaults_isFollowedInOrderAndWholeAndGoodOnly() {
        Map<String, Long> totals =
                new Seeds().run("zookeeper, configuration", Seeds.asked(SEEDS), ConfigSimulationTest::run);
        if (Seeds.asked(SEEDS).count() >= SEEDS) {
            assertThat(ALL)
                    .allSatisfy(what ->
                            assertThat(totals.getOrDefault(what, 0L)).as(what).isPositive());
        }
    }

    @Test
    void config_seedsThatEverFailed_doNoMore() {
        new Seeds()
                .run(
                        "zookeeper, configuration, once failed",
                        Seeds.of(ConfigSimulationTest.class, "failed-config-seeds"),
                        ConfigSimulationTest::run);
    }

    @Test
    void run_sameSeedTwice_sameTrace() {
        for (long seed : new long[] {1, 17}) {
            var once = new ConfigSimulation(seed);
            var again = new ConfigSimulation(seed);
            once.run(new LinkedHashMap<>());
            again.run(new LinkedHashMap<>());
            assertThat(again.trace().fingerprint()).isEqualTo(once.trace().fingerprint());
        }
    }

    private static boolean run(long seed, Map<String, Long> totals) {
        return new ConfigSimulation(seed).run(totals);
    }
}
