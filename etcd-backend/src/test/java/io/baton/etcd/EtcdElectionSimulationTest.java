package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.testkit.sim.Seeds;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Elections on simulated etcd clusters, under faults. {@link Seeds} says how to run more seeds, or a single one. */
class EtcdElectionSimulationTest {

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
            "leases revoked by an operator",
            "moves to another lease",
            "suspends",
            "terms",
            "terms lost");

    @Test
    void election_manySeedsOfFaults_oneLeadsAndEverybodyKnows() {
        Map<String, Long> totals =
                new Seeds().run("etcd, elections", Seeds.asked(SEEDS), EtcdElectionSimulationTest::run);
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
                        "etcd, elections, once failed",
                        Seeds.of(EtcdElectionSimulationTest.class, "failed-election-seeds"),
                        EtcdElectionSimulationTest::run);
    }

    @Test
    void run_sameSeedTwice_sameTrace() {
        for (long seed : new long[] {1, 17}) {
            var once = new EtcdElectionSimulation(seed);
            var again = new EtcdElectionSimulation(seed);
            once.run(new LinkedHashMap<>());
            again.run(new LinkedHashMap<>());
            assertThat(again.trace().fingerprint()).isEqualTo(once.trace().fingerprint());
        }
    }

    private static boolean run(long seed, Map<String, Long> totals) {
        return new EtcdElectionSimulation(seed).run(totals);
    }
}
