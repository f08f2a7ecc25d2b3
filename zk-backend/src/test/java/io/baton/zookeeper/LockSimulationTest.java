package io.baton.zookeeper;

import io.baton.tck.sim.lock.Scale;
import io.baton.testkit.LongRun;
import io.baton.testkit.sim.Seeds;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The lock on simulated ZooKeepers, under faults. {@link Seeds} says how to run more seeds, or a single one, which then
 * does again exactly what it did; {@code ./simulate} does it for you.
 */
class LockSimulationTest {

    private static final int SEEDS = LongRun.rounds(150, 250);

    /** What has to have happened in that many runs. */
    private static final List<String> ALL = List.of(
            "clients closed",
            "clients confined to one server",
            "clients killed",
            "commits",
            "delays",
            "disconnects",
            "disks stalled",
            "elections",
            "empty lines removed by clients",
            "events not told for want of a right",
            "entries deleted by hand",
            "entries written by hand",
            "expiries",
            "expiries at a leader without a quorum",
            "faults",
            "followers given up for want of an acknowledgement",
            "followers killed",
            "followers that heard nothing from their leader",
            "followers cut off just after a commit",
            "freezes",
            "given up by the library",
            "grants",
            "grants past the last number",
            "half-open connections",
            "histories taken over",
            "late answers before an outage",
            "leaders in trouble",
            "leaders killed",
            "leaders that began to serve",
            "leaders that stepped down",
            "lines followed",
            "lines no longer followed",
            "lines that were not empty",
            "looks at holds in undisturbed contact",
            "losses",
            "lost replies",
            "lost requests",
            "outages",
            "proposals kept by the next leader",
            "proposals thrown away",
            "quotas used up",
            "reads answered by a deposed leader",
            "reaped containers",
            "refused connects: behind the client",
            "refused connects: no leader",
            "refused writes",
            "refused: creations denied",
            "refused: deletions denied",
            "refused: quota exceeded",
            "refused: reads denied",
            "refused: throttled",
            "removals told by following",
            "requests behind the leader's question",
            "requests dropped by a leader",
            "rights revoked: CREATE",
            "rights revoked: DELETE",
            "rights revoked: READ",
            "servers cut off",
            "servers frozen",
            "servers restarted",
            "servers that drop their clients",
            "servers that lag",
            "servers that throttle",
            "sessions carried over",
            "sessions ended by hand",
            "silences",
            "slow quorums",
            "stale reads",
            "steps",
            "suspends",
            "wall clocks set back",
            "watches that a server forgot",
            "writes");

    @Test
    void lock_manySeedsOfFaults_isExclusiveFairAndFencedAndAlwaysRecovers() {
        new Seeds().runAsked("zookeeper", SEEDS, LockSimulation::new, ALL);
    }

    @Test
    void lock_seedsThatEverFailed_doNoMore() {
        new Seeds()
                .run("zookeeper, once failed", Seeds.of(LockSimulationTest.class, "failed-seeds"), LockSimulation::new);
        // Earlier ones failed when there was nothing more in a run than three clients on one lock.
        new Seeds()
                .run(
                        "zookeeper, once failed on one lock",
                        Seeds.of(LockSimulationTest.class, "failed-seeds"),
                        seed -> new LockSimulation(seed, Scale.none()));
    }

    @Test
    void run_sameSeedTwice_sameTrace() {
        Seeds.checkRepeatable(LockSimulation::new, 1, 17);
    }
}
