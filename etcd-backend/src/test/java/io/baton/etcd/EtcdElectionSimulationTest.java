package io.baton.etcd;

import io.baton.testkit.LongRun;
import io.baton.testkit.sim.Seeds;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Elections on simulated etcd clusters, under faults. {@link Seeds} says how to run more seeds, or a single one. */
class EtcdElectionSimulationTest {

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
            "leases revoked by an operator",
            "moves to another lease",
            "suspends",
            "terms",
            "terms lost");

    @Test
    void election_manySeedsOfFaults_oneLeadsAndEverybodyKnows() {
        new Seeds().runAsked("etcd, elections", SEEDS, EtcdElectionSimulation::new, ALL);
    }

    @Test
    void election_seedsThatEverFailed_doNoMore() {
        new Seeds()
                .run(
                        "etcd, elections, once failed",
                        Seeds.of(EtcdElectionSimulationTest.class, "failed-election-seeds"),
                        EtcdElectionSimulation::new);
    }

    @Test
    void run_sameSeedTwice_sameTrace() {
        Seeds.checkRepeatable(EtcdElectionSimulation::new, 1, 17);
    }
}
