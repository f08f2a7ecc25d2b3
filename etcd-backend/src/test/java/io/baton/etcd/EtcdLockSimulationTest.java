package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The lock on simulated etcd clusters, under faults. {@code -Dbaton.sim.seeds=1000} runs more seeds,
 * {@code -Dbaton.sim.seed=N} one of them, which then does again exactly what it did.
 */
class EtcdLockSimulationTest {

    private static final long ONE_SEED = Long.getLong("baton.sim.seed", -1);
    private static final int SEEDS = Integer.getInteger("baton.sim.seeds", 200);

    /** What has to have happened in that many runs. */
    private static final List<String> ALL = List.of(
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
            "leases ended by a deposed leader, with nothing on them",
            "leases revoked by an operator",
            "lines followed",
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
            "other programs back under the same key",
            "outages",
            "overloads",
            "predecessors watched",
            "reads not confirmed",
            "refused writes",
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
            "writes");

    @Test
    void lock_manySeedsOfFaults_isExclusiveFairAndFencedAndAlwaysRecovers() {
        var totals = new TreeMap<String, Long>();
        long first = ONE_SEED < 0 ? 0 : ONE_SEED;
        long last = ONE_SEED < 0 ? SEEDS - 1 : ONE_SEED;
        for (long seed = first; seed <= last; seed++) {
            new EtcdLockSimulation(seed).run(totals);
        }
        System.out.println("simulated " + (last - first + 1) + " seeds: " + totals);
        if (ONE_SEED < 0 && SEEDS >= 100) {
            assertThat(ALL)
                    .allSatisfy(what ->
                            assertThat(totals.getOrDefault(what, 0L)).as(what).isPositive());
        }
    }

    @Test
    void run_sameSeedTwice_sameTrace() {
        for (long seed : new long[] {ONE_SEED < 0 ? 1 : ONE_SEED, 17, 42}) {
            var once = new EtcdLockSimulation(seed);
            var again = new EtcdLockSimulation(seed);
            once.run(new TreeMap<>());
            again.run(new TreeMap<>());
            assertThat(again.trace().newest()).isEqualTo(once.trace().newest());
            assertThat(again.trace().lines()).isEqualTo(once.trace().lines());
            assertThat(again.trace().fingerprint()).isEqualTo(once.trace().fingerprint());
        }
    }
}
