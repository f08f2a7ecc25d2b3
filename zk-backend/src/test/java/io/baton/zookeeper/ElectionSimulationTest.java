package io.baton.zookeeper;

import io.baton.testkit.LongRun;
import io.baton.testkit.sim.Seeds;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Elections on simulated ZooKeepers, under faults. {@link Seeds} says how to run more seeds, or a single one. */
class ElectionSimulationTest {

    private static final int SEEDS = LongRun.rounds(100, 200);

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
        new Seeds().runAsked("zookeeper, elections", SEEDS, ElectionSimulation::new, ALL);
    }

    @Test
    void election_seedsThatEverFailed_doNoMore() {
        new Seeds()
                .run(
                        "zookeeper, elections, once failed",
                        Seeds.of(ElectionSimulationTest.class, "failed-election-seeds"),
                        ElectionSimulation::new);
    }

    @Test
    void run_sameSeedTwice_sameTrace() {
        Seeds.checkRepeatable(ElectionSimulation::new, 1, 17);
    }
}
