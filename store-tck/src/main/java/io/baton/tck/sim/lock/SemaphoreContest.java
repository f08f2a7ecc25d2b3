package io.baton.tck.sim.lock;

import io.baton.Coordinator;
import io.baton.RecordKey;
import io.baton.spi.Claim;
import io.baton.spi.Line;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A semaphore with 3 to 5 permits, of which each request wants 1 to 3. In half of the runs an operator resizes it. */
final class SemaphoreContest implements SimContest {

    private static final long SEEDS = 0x5e3a9407e5L;
    private static final int LEAST = 3;
    private static final int MOST = 5;
    private static final int MOST_WANTED = 3;
    private static final String TREE = "baton.semaphores";

    private final SplittableRandom chance;
    private final int declared;
    private final boolean resized;
    private final long mostMillisBetween;
    private @Nullable Judges judges;

    /** What judges the run, once it is set up. */
    private record Judges(PermitAdmission admission, LockInvariants holds, LockTruth permits, LockTruth queue) {}

    SemaphoreContest(long seed) {
        chance = new SplittableRandom(seed ^ SEEDS);
        declared = chance.nextInt(LEAST, MOST + 1);
        resized = chance.nextBoolean();
        mostMillisBetween = chance.nextBoolean() ? 4_000 : 200;
    }

    @Override
    public Line line() {
        return Line.of("baton.permits/" + LockRun.LOCK, Line.Kind.PERMITS);
    }

    @Override
    public Optional<Line> queue() {
        return Optional.of(Line.of("semaphores/" + LockRun.LOCK));
    }

    @Override
    public RecordKey record() {
        return new RecordKey(TREE, LockRun.LOCK);
    }

    @Override
    public boolean guardsRecord() {
        return false;
    }

    @Override
    public Asked ask(Coordinator coordinator, SplittableRandom its) {
        int wanted = its.nextInt(1, MOST_WANTED + 1);
        return new Asked(coordinator.semaphore(LockRun.LOCK, declared).acquireAsync(wanted), Claim.permits(wanted));
    }

    @Override
    public LockInvariants invariants(Simulation sim, BiFunction<Line, RecordKey, ? extends LockTruth> truths) {
        LockTruth permits = truths.apply(line(), record());
        LockTruth queue = truths.apply(queue().orElseThrow(), record());
        var admission = new PermitAdmission(sim, permits, queue);
        var holds = new LockInvariants(sim, permits, admission);
        judges = new Judges(admission, holds, permits, queue);
        return holds;
    }

    @Override
    public void judge(JudgedLines lines) {
        PermitAdmission admission = judges().admission();
        LockTruth permits = judges().permits();
        LockTruth queue = judges().queue();
        lines.queue(queue);
        lines.due(queue, permits, () -> admission.dueInQueue(judges().holds().open()));
        lines.due(queue, permits, admission::unqueued);
    }

    @Override
    public void start(SimulatedStore store, SimFaults faults) {
        if (resized) {
            resizeLater(store, faults);
        }
    }

    private void resizeLater(SimulatedStore store, SimFaults faults) {
        long after = Duration.ofMillis(chance.nextLong(mostMillisBetween)).toNanos();
        store.sim().at(store.sim().now() + after, () -> {
            if (!faults.stopped()) {
                if (judges().permits().record() != null) {
                    int size = chance.nextInt(LEAST, MOST + 1);
                    store.sim().note("test", "resizes to " + size);
                    store.write(TREE, Map.of(LockRun.LOCK, "declared=" + declared + "\nsize=" + size + "\n"));
                }
                resizeLater(store, faults);
            }
        });
    }

    @Override
    public void addTo(LockInvariants all, Map<String, Long> totals) {
        totals.merge("resizes", judges().admission().resizes(), Long::sum);
        totals.merge("permits that had to wait", judges().admission().waits(), Long::sum);
    }

    private Judges judges() {
        Judges set = judges;
        if (set == null) {
            throw new IllegalStateException("the run is not set up");
        }
        return set;
    }
}
