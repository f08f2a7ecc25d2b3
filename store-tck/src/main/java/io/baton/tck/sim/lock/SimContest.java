package io.baton.tck.sim.lock;

import io.baton.Coordinator;
import io.baton.RecordKey;
import io.baton.spi.Claim;
import io.baton.spi.Line;
import io.baton.tck.sim.SimulationKind;
import io.baton.testkit.sim.Simulation;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BiFunction;

/** What the clients of a run contend for. */
public interface SimContest {

    /** The line of those that hold. */
    Line line();

    /** The line in which contenders wait before they join the other; empty if they wait in that. */
    default Optional<Line> queue() {
        return Optional.empty();
    }

    /** The record whose present value the checks of the line need. */
    RecordKey record();

    /** Whether the record is written under the holds. */
    default boolean guardsRecord() {
        return true;
    }

    /** Draws the number of contenders of one client. */
    default int contenders(SplittableRandom chance) {
        return chance.nextInt(4) == 0 ? 2 : 1;
    }

    /** Asks for a hold. */
    Asked ask(Coordinator coordinator, SplittableRandom chance);

    /**
     * Creates the invariants of the line.
     *
     * @param truths the truth of a line, with that of a record
     */
    default LockInvariants invariants(Simulation sim, BiFunction<Line, RecordKey, ? extends LockTruth> truths) {
        return new LockInvariants(sim, truths.apply(line(), record()));
    }

    /** Adds checks of further lines. */
    default void judge(JudgedLines lines) {}

    /** Begins what befalls the contest besides faults. */
    default void start(SimulatedStore store, SimFaults faults) {}

    /** Adds its event counts. */
    default void addTo(LockInvariants invariants, Map<String, Long> totals) {}

    /** Returns the contest of the run with this seed. */
    static SimContest of(SimulationKind kind, long seed) {
        return switch (kind) {
            case LOCKS -> new MutexContest();
            case READ_WRITE -> new ReadWriteContest();
            case SEMAPHORES -> new SemaphoreContest(seed);
            case COHORTS -> new CohortContest(seed);
            case ELECTIONS, STANDBYS, CONFIG, RECORDS ->
                throw new IllegalArgumentException(kind + " is no contest for locks");
        };
    }

    /** A lock. */
    record MutexContest() implements SimContest {

        @Override
        public Line line() {
            return Line.of("locks/" + LockRun.LOCK);
        }

        @Override
        public RecordKey record() {
            return LockRun.RECORD;
        }

        @Override
        public Asked ask(Coordinator coordinator, SplittableRandom chance) {
            return Asked.of(LockRun.LOCK).ask(coordinator, chance);
        }
    }

    /** A read/write lock. Half of the requests are readers'. */
    record ReadWriteContest() implements SimContest {

        @Override
        public void addTo(LockInvariants invariants, Map<String, Long> totals) {
            invariants.addTo(totals);
        }

        @Override
        public Line line() {
            return Line.of("rwlocks/" + LockRun.LOCK, Line.Kind.READ_WRITE);
        }

        @Override
        public RecordKey record() {
            return LockRun.RECORD;
        }

        @Override
        public Asked ask(Coordinator coordinator, SplittableRandom chance) {
            var lock = coordinator.readWriteLock(LockRun.LOCK);
            return chance.nextBoolean()
                    ? new Asked(lock.read().acquireAsync(), Claim.SHARED)
                    : new Asked(lock.write().acquireAsync(), Claim.EXCLUSIVE);
        }
    }
}
