package io.baton.etcd;

import io.baton.testkit.sim.Seeds;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Configuration on simulated etcd clusters, under faults. {@link Seeds} says how to run more seeds, or a single one. */
class EtcdConfigSimulationTest {

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
            "leases revoked by an operator",
            "states applied",
            "states rejected",
            "suspends");

    @Test
    void config_manySeedsOfFaults_isFollowedInOrderAndWholeAndGoodOnly() {
        new Seeds().runAsked("etcd, configuration", SEEDS, EtcdConfigSimulation::new, ALL);
    }

    @Test
    void config_seedsThatEverFailed_doNoMore() {
        new Seeds()
                .run(
                        "etcd, configuration, once failed",
                        Seeds.of(EtcdConfigSimulationTest.class, "failed-config-seeds"),
                        EtcdConfigSimulation::new);
    }

    @Test
    void run_sameSeedTwice_sameTrace() {
        Seeds.checkRepeatable(EtcdConfigSimulation::new, 1, 17);
    }
}
