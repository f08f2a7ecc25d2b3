package io.baton.zookeeper;

import io.baton.testkit.sim.Seeds;
import java.util.List;
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
        new Seeds().runAsked("zookeeper, configuration", SEEDS, ConfigSimulation::new, ALL);
    }

    @Test
    void config_seedsThatEverFailed_doNoMore() {
        new Seeds()
                .run(
                        "zookeeper, configuration, once failed",
                        Seeds.of(ConfigSimulationTest.class, "failed-config-seeds"),
                        ConfigSimulation::new);
    }

    @Test
    void run_sameSeedTwice_sameTrace() {
        Seeds.checkRepeatable(ConfigSimulation::new, 1, 17);
    }
}
