package io.baton.tck.sim.lock;

import io.baton.Coordinator;
import io.baton.LockOptions;
import io.baton.RecordKey;
import io.baton.spi.Claim;
import io.baton.spi.Line;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A lock of which several contenders in each client share a place in the line. The options are drawn for each run:
 * hand-overs within a client, places that linger, or both. Some requests do without them.
 */
final class CohortContest implements SimContest {

    private static final long SEEDS = 0xc0407c0407L;
    private static final int PLAIN_ONE_IN = 8;

    private final LockOptions options;
    private @Nullable CohortAdmission admission;

    CohortContest(long seed) {
        var chance = new SplittableRandom(seed ^ SEEDS);
        int which = chance.nextInt(3);
        LockOptions.Builder drawn = LockOptions.builder();
        if (which != 0) {
            drawn.cohort(chance.nextInt(1, 6), Duration.ofMillis(chance.nextInt(100, 3_000)));
        }
        if (which != 1) {
            drawn.linger(Duration.ofMillis(chance.nextInt(50, 4_000)));
        }
        options = drawn.build();
    }

    @Override
    public Line line() {
        return Line.of("locks/" + LockRun.LOCK);
    }

    @Override
    public RecordKey record() {
        return LockRun.RECORD;
    }

    @Override
    public int contenders(SplittableRandom chance) {
        return chance.nextInt(1, 5);
    }

    @Override
    public Asked ask(Coordinator coordinator, SplittableRandom chance) {
        return chance.nextInt(PLAIN_ONE_IN) == 0
                ? Asked.of(LockRun.LOCK).ask(coordinator, chance)
                : new Asked(coordinator.lock(LockRun.LOCK, options).acquireAsync(), Claim.EXCLUSIVE);
    }

    @Override
    public LockInvariants invariants(Simulation sim, BiFunction<Line, RecordKey, ? extends LockTruth> truths) {
        LockTruth truth = truths.apply(line(), record());
        var judging = new CohortAdmission(sim, truth, options);
        var invariants = new LockInvariants(sim, truth, judging);
        judging.follow(invariants);
        admission = judging;
        return invariants;
    }

    @Override
    public void addTo(LockInvariants invariants, Map<String, Long> totals) {
        if (admission != null) {
            admission.addTo(totals);
        }
    }
}
