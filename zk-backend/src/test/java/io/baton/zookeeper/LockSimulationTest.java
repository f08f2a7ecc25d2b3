package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
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
            new LockSimulation(seed).run(totals);
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
            once.run(new LinkedHashMap<>());
            again.run(new LinkedHashMap<>());
            assertThat(again.trace().newest()).isEqualTo(once.trace().newest());
            assertThat(again.trace().lines()).isEqualTo(once.trace().lines());
            assertThat(again.trace().fingerprint()).isEqualTo(once.trace().fingerprint());
        }
    }
}
