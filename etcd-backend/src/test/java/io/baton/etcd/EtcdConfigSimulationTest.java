package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.testkit.sim.Seeds;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        Map<String, Long> totals =
                new Seeds().run("etcd, configuration", Seeds.asked(SEEDS), EtcdConfigSimulationTest::run);
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
                        "etcd, configuration, once failed",
                        Seeds.of(EtcdConfigSimulationTest.class, "failed-config-seeds"),
                        EtcdConfigSimulationTest::run);
    }

    @Test
    void run_sameSeedTwice_sameTrace() {
        for (long seed : new long[] {1, 17}) {
            var once = new EtcdConfigSimulation(seed);
            var again = new EtcdConfigSimulation(seed);
            once.run(new LinkedHashMap<>());
            again.run(new LinkedHashMap<>());
            assertThat(again.trace().fingerprint()).isEqualTo(once.trace().fingerprint());
        }
    }

    private static boolean run(long seed, Map<String, Long> totals) {
        return new EtcdConfigSimulation(seed).run(totals);
    }
}
