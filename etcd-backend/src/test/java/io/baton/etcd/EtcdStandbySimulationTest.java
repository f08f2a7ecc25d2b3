package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.testkit.sim.Seeds;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        Map<String, Long> totals =
                new Seeds().run("etcd, standbys", Seeds.asked(SEEDS), EtcdStandbySimulationTest::run);
        if (Seeds.asked(SEEDS).count() >= SEEDS) {
            assertThat(ALL)
                    .allSatisfy(what ->
                            assertThat(totals.getOrDefault(what, 0L)).as(what).isPositive());
        }
    }

    @Test
    void standby_seedsThatEverFailed_doNoMore() {
        new Seeds()
                .run(
                        "etcd, standbys, once failed",
                        Seeds.of(EtcdStandbySimulationTest.class, "failed-standby-seeds"),
                        EtcdStandbySimulationTest::run);
    }

    @Test
    void run_sameSeedTwice_sameTrace() {
        for (long seed : new long[] {1, 17}) {
            var once = new EtcdStandbySimulation(seed);
            var again = new EtcdStandbySimulation(seed);
            once.run(new LinkedHashMap<>());
            again.run(new LinkedHashMap<>());
            assertThat(again.trace().fingerprint()).isEqualTo(once.trace().fingerprint());
        }
    }

    private static boolean run(long seed, Map<String, Long> totals) {
        return new EtcdStandbySimulation(seed).run(totals);
    }
}
