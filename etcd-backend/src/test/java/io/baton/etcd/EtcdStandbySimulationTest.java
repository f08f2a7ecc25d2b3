package io.baton.etcd;

import io.baton.testkit.sim.Seeds;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Active and standby nodes on simulated etcd clusters, under faults. {@link Seeds} says how to run more seeds, or a
 * single one.
 */
class EtcdStandbySimulationTest {

    private static final int SEEDS = 30;

    /** What has to have happened in that many runs. */
    private static final List<String> ALL = List.of(
            "breadcrumbs removed",
            "breadcrumbs replaced by another node",
            "clients closed",
            "clients killed",
            "demotions made good",
            "demotions that came to a good end",
            "demotions that failed",
            "elections",
            "entries deleted by hand",
            "expiries",
            "faults",
            "fencers interrupted",
            "fencings",
            "fencings that failed",
            "freezes",
            "handed over",
            "handing over refused",
            "hooks interrupted",
            "last resorts",
            "leases revoked by an operator",
            "nodes started anew",
            "nodes that were unwell",
            "pauses",
            "processes halted",
            "promotions",
            "promotions that came to a good end",
            "promotions that failed",
            "suspends");

    @Test
    void standby_manySeedsOfFaults_oneIsActiveAndTheFormerOneIsFenced() {
        new Seeds().runAsked("etcd, standbys", SEEDS, EtcdStandbySimulation::new, ALL);
    }

    @Test
    void standby_seedsThatEverFailed_doNoMore() {
        new Seeds()
                .run(
                        "etcd, standbys, once failed",
                        Seeds.of(EtcdStandbySimulationTest.class, "failed-standby-seeds"),
                        EtcdStandbySimulation::new);
    }

    @Test
    void run_sameSeedTwice_sameTrace() {
        Seeds.checkRepeatable(EtcdStandbySimulation::new, 1, 17);
    }
}
