package io.baton.tck.sim.election;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.SessionState;
import io.baton.election.Candidacy;
import io.baton.election.Candidate;
import io.baton.election.LastResort;
import io.baton.election.LeaderElection;
import io.baton.election.Leadership;
import io.baton.election.StopReason;
import io.baton.election.WhenSuspended;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A candidate on its own thread. It leads for a while, then resigns, hands over or returns. After a stop signal it
 * stops, most of the time soon.
 */
final class SimCandidate {

    private static final long MILLI = 1_000_000;

    private static final int OFTEN_SLOW = 3;

    /** How long a closing coordinator waits for work. */
    private static final long DRAINED_NANOS =
            CoordinatorOptions.defaults().closeTimeout().dividedBy(2).toNanos();

    private final ElectionInvariants invariants;
    private final SimProcess process;
    private final SimLoop thread;
    private final SplittableRandom chance;
    private final Coordinator coordinator;
    private final Candidate candidate;
    private final Candidacy candidacy;
    private final LeaderElection election;
    private final Supplier<String> anybody;
    private final int slowOneIn;
    private @Nullable SimTerm present;
    private boolean closed;
    private boolean abandoned;
    private long abandonedSince;
    private int terms;
    private int sessionsLost;

    SimCandidate(
            ElectionInvariants invariants,
            SimProcess process,
            SimLoop thread,
            Coordinator coordinator,
            Duration ttl,
            String id,
            Supplier<String> anybody,
            SplittableRandom chance) {
        this.invariants = invariants;
        this.process = process;
        this.thread = thread;
        this.chance = chance;
        this.slowOneIn = chance.nextInt(3) == 0 ? OFTEN_SLOW : 20;
        this.coordinator = coordinator;
        this.anybody = anybody;
        this.election = LeaderElection.named(coordinator, ElectionRun.ELECTION);
        coordinator.onState(state -> sessionsLost += state == SessionState.LOST ? 1 : 0);
        this.candidate = Candidate.builder(id)
                .whenSuspended(chance.nextBoolean() ? WhenSuspended.STOP : WhenSuspended.RIDE_OUT)
                .stopTimeout(Duration.ofNanos(chance.nextLong(100 * MILLI, ttl.toNanos() / 4)))
                .lastResort(this::stuck)
                .priority(chance.nextInt(4) == 0 ? chance.nextInt(1, 3) : 0)
                .priorityDelay(Duration.ofNanos(chance.nextLong(1_000 * MILLI, 8_000 * MILLI)))
                .ready(() -> chance.nextInt(8) > 0)
                .build();
        this.candidacy = election.runAsync(candidate, this::lead);
    }

    SimProcess process() {
        return process;
    }

    /** The number of its terms. */
    int terms() {
        return terms;
    }

    /** Closes the candidacy. */
    void close() {
        candidacy.closeAsync().whenComplete((done, failure) -> closed = true);
        if (slowOneIn == OFTEN_SLOW) {
            // Closing twice is allowed.
            var unused = candidacy.closeAsync();
        }
    }

    /** Its coordinator begins to close. */
    void abandon() {
        abandonedSince = process.nanoTime();
        abandoned = true;
    }

    /** Whether its coordinator is closing and need not wait for its work any longer. */
    boolean abandoned() {
        return abandoned && process.nanoTime() - abandonedSince >= DRAINED_NANOS;
    }

    /** Whether its coordinator is closing. */
    boolean leaving() {
        return abandoned;
    }

    String id() {
        return candidate.id();
    }

    Duration stopTimeout() {
        return candidate.stopTimeout();
    }

    /** The number of its sessions whose end it has seen. */
    int sessionsLost() {
        return sessionsLost;
    }

    /**
     * Whether contact is lost and the work has to stop with this much time left. If there was never twice the stop
     * timeout, {@code half} of the most time it had is the limit.
     */
    boolean endangered(Duration remaining, Duration half) {
        Duration needed = half.compareTo(stopTimeout()) < 0 ? half : stopTimeout();
        return coordinator.state() != SessionState.CONNECTED
                && (candidate.whenSuspended() == WhenSuspended.STOP || remaining.compareTo(needed) < 0);
    }

    /** Whether it has stopped for good. */
    boolean closed() {
        return closed || process.dead();
    }

    private CompletionStage<?> lead(Leadership leadership) {
        SimTerm term = new SimTerm(this, leadership);
        invariants.guard(() -> {
            thread.note("leads, term " + Long.toHexString(leadership.term()));
            invariants.began(term);
            present = term;
            terms++;
        });
        leadership.onStop(why -> invariants.guard(() -> told(term, why)));
        after(chance.nextInt(6) == 0 ? 6_000 : 300, () -> enough(term));
        return term.work;
    }

    private void told(SimTerm term, StopReason why) {
        thread.note("told to stop, term " + Long.toHexString(term.token()) + ": " + why);
        term.tell(why);
        if (why == StopReason.LOST) {
            invariants.lost();
        }
        after(chance.nextInt(slowOneIn) == 0 ? 5_000 : 30, () -> end(term));
    }

    private void stuck(LastResort.Stuck work) {
        invariants.guard(() -> invariants.lastResort(work.leadership()));
    }

    private void enough(SimTerm term) {
        if (present != term || term.told()) {
            return;
        }
        switch (chance.nextInt(6)) {
            case 0 -> end(term);
            case 1 -> invariants.resigning(term, term.leadership().resign());
            case 2 -> invariants.resigning(term, candidacy.resign());
            case 3 -> handOver(term, term.leadership()::handOverAsync);
            case 4 -> handOver(term, election::handOverAsync);
            default -> handOver(term, candidacy::handOverAsync);
        }
    }

    /** Hands over. If that fails, it leads on and tries something else later. */
    private void handOver(SimTerm term, BiFunction<String, Duration, CompletableFuture<Void>> how) {
        String to = anybody.get();
        thread.note("hands over to " + to + ", term " + Long.toHexString(term.token()));
        Duration timeout = Duration.ofNanos(chance.nextLong(100 * MILLI, 6_000 * MILLI));
        invariants.requests().handOverBegun(process);
        how.apply(to, timeout)
                .whenComplete((done, failure) -> invariants.guard(() -> {
                    thread.note(
                            "to " + to + ": " + (failure == null ? "handed over" : ElectionRequests.reason(failure)));
                    invariants.requests().handOverEnded(process, failure);
                    if (failure == null && !to.equals(id()) && present == term) {
                        invariants.handedOverAtWork(term);
                    }
                    after(300, () -> enough(term));
                }));
    }

    private void end(SimTerm term) {
        if (present == term) {
            thread.note("stops, term " + Long.toHexString(term.token()));
            present = null;
            invariants.ended(term);
            term.work.complete(null);
        }
    }

    private void after(long millis, Runnable task) {
        thread.after(Duration.ofNanos(chance.nextLong(MILLI, millis * MILLI)), () -> invariants.guard(task));
    }
}
