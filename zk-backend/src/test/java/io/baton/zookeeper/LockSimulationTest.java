package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The lock on simulated ZooKeepers, under faults. {@code -Dbaton.sim.seeds=1000} runs more seeds,
 * {@code -Dbaton.sim.seed=N} one of them, which then does again exactly what it did.
 */
class LockSimulationTest {

    private static final long ONE_SEED = Long.getLong("baton.sim.seed", -1);
    private static final int SEEDS = Integer.getInteger("baton.sim.seeds", 200);

    @Test
    void lock_manySeedsOfFaults_isExclusiveFairAndFencedAndAlwaysRecovers() {
        var totals = new LinkedHashMap<String, Long>();
        long first = ONE_SEED < 0 ? 0 : ONE_SEED;
        long last = ONE_SEED < 0 ? SEEDS - 1 : ONE_SEED;
        for (long seed = first; seed <= last; seed++) {
            add(new LockSimulation(seed).run(), totals);
        }
        System.out.println("simulated " + (last - first + 1) + " seeds: " + totals);
        if (ONE_SEED < 0 && SEEDS >= 100) {
            assertThat(totals)
                    .allSatisfy((what, times) -> assertThat(times).as(what).isPositive());
        }
    }

    @Test
    void run_sameSeedTwice_sameTrace() {
        for (long seed : new long[] {ONE_SEED < 0 ? 1 : ONE_SEED, 17, 42}) {
            var once = new LockSimulation(seed);
            var again = new LockSimulation(seed);
            once.run();
            again.run();
            assertThat(again.trace().newest()).isEqualTo(once.trace().newest());
            assertThat(again.trace().lines()).isEqualTo(once.trace().lines());
            assertThat(again.trace().fingerprint()).isEqualTo(once.trace().fingerprint());
        }
    }

    private static void add(LockSimulation.Totals run, Map<String, Long> totals) {
        add(totals, "steps", run.steps());
        add(totals, "grants", run.grants());
        add(totals, "grants past the last number", run.unnumberedGrants());
        add(totals, "losses", run.losses());
        add(totals, "writes", run.writes());
        add(totals, "refused writes", run.refusedWrites());
        add(totals, "expiries", run.zk().expiries);
        add(totals, "given up by the library", run.zk().localExpiries);
        add(totals, "disconnects", run.zk().disconnects);
        add(totals, "silences", run.zk().silences);
        add(totals, "delays", run.zk().delays);
        add(totals, "lost requests", run.zk().lostRequests);
        add(totals, "lost replies", run.zk().lostReplies);
        add(totals, "partitions", run.zk().partitions);
        add(totals, "outages", run.zk().outages);
        add(totals, "slow quorums", run.zk().slowQuorums);
        add(totals, "stale reads", run.zk().staleReads);
        add(totals, "reaped containers", run.zk().reapedContainers);
        add(totals, "lines followed", run.zk().follows);
        add(totals, "lines no longer followed", run.zk().unfollows);
        add(totals, "removals told by following", run.zk().followedRemovals);
        add(totals, "freezes", run.faults().freezes());
        add(totals, "suspends", run.faults().suspends());
        add(totals, "clients killed", run.kills());
        add(totals, "clients closed", run.closes());
        add(totals, "entries deleted by hand", run.faults().deletions());
    }

    private static void add(Map<String, Long> totals, String what, long times) {
        totals.merge(what, times, Long::sum);
    }
}
