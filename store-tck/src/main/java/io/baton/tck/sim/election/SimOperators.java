package io.baton.tck.sim.election;

import io.baton.Coordinator;
import io.baton.election.LeaderElection;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Requests hand-overs, pauses an election and resumes it, in any process with a coordinator. */
final class SimOperators {

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(8);
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final Duration AGAIN = Duration.ofSeconds(7);

    private final Simulation sim;
    private final SplittableRandom chance;
    private final String election;
    private final ElectionRequests requests;
    private final Consumer<Runnable> guard;
    private final Duration resumed;
    private final Supplier<Desk> anyDesk;
    private final Supplier<String> anybody;

    /** A process and its coordinator. */
    record Desk(SimProcess process, Coordinator coordinator) {}

    /**
     * Starts without requests.
     *
     * @param guard runs callbacks; see {@link ElectionInvariants#guard}
     * @param resumed the virtual time until which the election is resumed repeatedly
     * @param anyDesk draws a process
     * @param anybody draws the candidate of a hand-over
     */
    SimOperators(
            Simulation sim,
            SplittableRandom chance,
            String election,
            ElectionRequests requests,
            Consumer<Runnable> guard,
            Duration resumed,
            Supplier<Desk> anyDesk,
            Supplier<String> anybody) {
        this.sim = sim;
        this.chance = chance;
        this.election = election;
        this.requests = requests;
        this.guard = guard;
        this.resumed = resumed;
        this.anyDesk = anyDesk;
        this.anybody = anybody;
    }

    /** Requests a hand-over from any process, with or without a candidate. */
    void ask() {
        Desk from = anyDesk.get();
        String to = anybody.get();
        Duration timeout = Duration.ofMillis(chance.nextLong(100, 8_000));
        if (from.process.dead()) {
            return;
        }
        sim.note("test", from.process.name() + " asks to hand over to " + to);
        requests.handOverBegun(from.process);
        LeaderElection.named(from.coordinator, election)
                .handOverAsync(to, timeout)
                .whenComplete((done, failure) -> guard.accept(() -> {
                    sim.note("test", to + ": " + (failure == null ? "handed over" : ElectionRequests.reason(failure)));
                    requests.handOverEnded(from.process, failure);
                }));
    }

    /** Pauses the election from any process, with or without a candidate, and resumes it after a while. */
    void pause() {
        Desk from = anyDesk.get();
        if (from.process.dead()) {
            return;
        }
        sim.note("test", from.process.name() + " pauses the election");
        int resumesBefore = requests.resumesEnded();
        LeaderElection.named(from.coordinator, election)
                .pauseAsync(from.process.name(), "a test", LIMIT)
                .thenAccept(pause -> guard.accept(() -> {
                    sim.note("test", pause.toString());
                    requests.paused(pause, resumesBefore);
                }));
        sim.at(sim.now() + chance.nextLong(LONGEST_PAUSE.toNanos()), this::resume);
    }

    /** Retries until it is certain, from any process. */
    private void resume() {
        Desk from = anyDesk.get();
        if (!from.process.dead()) {
            requests.resuming();
            LeaderElection.named(from.coordinator, election)
                    .resumeAsync(LIMIT)
                    .thenAccept(ended -> guard.accept(() -> {
                        sim.note("test", "resumed, it was " + ended);
                        requests.resumed();
                    }));
        }
        if (sim.now() < resumed.toNanos()) {
            sim.at(sim.now() + AGAIN.toNanos(), this::resume);
        }
    }
}
