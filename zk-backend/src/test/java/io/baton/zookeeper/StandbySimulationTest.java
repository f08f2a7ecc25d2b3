package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.testkit.sim.Seeds;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Active and standby nodes on simulated ZooKeepers, under faults. {@link Seeds} says how to run more seeds, or a
 * single one.
 */
class StandbySimulationTest {

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
            "nodes started anew",
            "nodes that were unwell",
            "pauses",
            "processes halted",
            "promotions",
            "promotions that came to a good end",
            "promotions that failed",
            "sessions ended by hand",
            "suspends");

    @Test
    void standby_manySeedsOfFaults_oneIsActiveAndTheFormerOneIsFenced() {
        Map<String, Long> totals =
                new Seeds().run("zookeeper, standbys", Seeds.asked(SEEDS), StandbySimulationTest::run);
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
                        "zookeeper, standbys, once failed",
                        Seeds.of(StandbySimulationTest.class, "failed-standby-seeds"),
                        StandbySimulationTest::run);
    }

    @Test
    void run_sameSeedTwice_sameTrace() {
        for (long seed : new long[] {1, 17}) {
            var once = new StandbySimulation(seed);
            var again = new StandbySimulation(seed);
            once.run(new LinkedHashMap<>());
            again.run(new LinkedHashMap<>());
            assertThat(again.trace().fingerprint()).isEqualTo(once.trace().fingerprint());
        }
    }

    private static boolean run(long seed, Map<String, Long> totals) {
        return new StandbySimulation(seed).run(totals);
    }
}
