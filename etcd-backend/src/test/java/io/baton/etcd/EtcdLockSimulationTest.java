package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.tck.sim.lock.Scale;
import io.baton.testkit.LongRun;
import io.baton.testkit.sim.Seeds;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The lock on simulated etcd clusters, under faults. {@link Seeds} says how to run more seeds, or a single one, which then
 * does again exactly what it did; {@code ./simulate} does it for you.
 */
class EtcdLockSimulationTest {

    private static final int SEEDS = LongRun.rounds(150, 200);

    /** What has to have happened in that many runs. */
    private static final List<String> ALL = List.of(
            "applied and out of space",
            "changes told",
            "clients closed",
            "clients killed",
            "delays",
            "disconnects",
            "disks stalled",
            "doubts: joined",
            "doubts: not joined",
            "elections",
            "entries deleted by hand",
            "entries of other programs",
            "epochs raised",
            "events the server forgot",
            "events to followers",
            "events to watchers of one",
            "expiries",
            "faults",
            "first snapshots",
            "freezes",
            "grants",
            "joins in doubt",
            "joins that took departures along",
            "late answers before an outage",
            "late events",
            "leaders in trouble",
            "leaders replaced while their disk stalls",
            "leases ended by a deposed leader",
            "leases revoked by an operator",
            "lines followed",
            "looks at holds in undisturbed contact",
            "losses",
            "lost proposals",
            "lost replies",
            "lost requests",
            "members cut off",
            "members frozen",
            "members overloaded",
            "members restarted",
            "members that drop their clients",
            "members that lag",
            "moves to another lease",
            "moves to another lease in doubt",
            "moves to another lease refused",
            "operations limited",
            "other programs back under the same key",
            "out of space",
            "outages",
            "overloads",
            "permissions to read revoked",
            "permissions to write revoked",
            "predecessors watched",
            "reads not confirmed",
            "refused writes",
            "refused: leases not granted",
            "refused: no space",
            "refused: reads denied",
            "refused: revocations denied",
            "refused: too many operations",
            "refused: writes denied",
            "renewals by a deposed leader",
            "renewals handed on",
            "silences",
            "slow quorums",
            "snapshots after a gap",
            "steps",
            "stragglers",
            "suspends",
            "wall clocks set back",
            "watches ended by the server",
            "watches refused",
            "writes");

    /** What happens once in some hundred runs. */
    private static final String RARE = "leases ended by a deposed leader, with nothing on them";

    @Test
    void lock_manySeedsOfFaults_isExclusiveFairAndFencedAndAlwaysRecovers() {
        Map<String, Long> totals = new Seeds().runAsked("etcd", SEEDS, EtcdLockSimulation::new, ALL);
        assertThat(totals).as("what a server refuses unseen").doesNotContainKey("requests refused");
        long runs = Seeds.asked(SEEDS).count();
        if (runs >= 2_000) {
            assertThat(totals).containsKey(RARE);
        }
    }

    @Test
    void lock_seedsThatEverFailed_doNoMore() {
        new Seeds()
                .run(
                        "etcd, once failed",
                        Seeds.of(EtcdLockSimulationTest.class, "failed-seeds"),
                        EtcdLockSimulation::new);
        // Earlier ones failed when there was nothing more in a run than three clients on one lock.
        new Seeds()
                .run(
                        "etcd, once failed on one lock",
                        Seeds.of(EtcdLockSimulationTest.class, "failed-seeds"),
                        seed -> new EtcdLockSimulation(seed, Scale.none()));
    }

    @Test
    void run_sameSeedTwice_sameTrace() {
        Seeds.checkRepeatable(EtcdLockSimulation::new, 1, 17);
    }
}
