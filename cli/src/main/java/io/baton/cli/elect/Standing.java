package io.baton.cli.elect;

import io.baton.cli.CommandTimeout;
import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.Report;
import io.baton.election.Candidacy;
import io.baton.election.Candidate;
import io.baton.election.LeaderElection;
import io.baton.election.Leadership;
import io.baton.election.Pause;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A candidacy whose terms are taken by the thread that runs the command. */
final class Standing implements AutoCloseable {

    private static final long LOOK_MILLIS = 200;

    private final String name;
    private final Refusals refusals;
    private final BlockingQueue<ElectedTerm> terms = new LinkedBlockingQueue<>();
    private final Candidacy candidacy;
    private Optional<Pause> told = Optional.empty();
    private volatile @Nullable ElectedTerm latest;
    private volatile boolean closed;

    /** Joins the election with this name; {@code ttl} is how long sessions outlive their process. */
    Standing(LeaderElection election, String name, Candidate candidate, Duration ttl) {
        this.name = name;
        this.refusals = new Refusals(name, ttl);
        this.candidacy = election.runAsync(candidate, this::elected);
    }

    private CompletionStage<Void> elected(Leadership leadership) {
        ElectedTerm term = new ElectedTerm(name, leadership, new CompletableFuture<>());
        latest = term;
        terms.add(term);
        if (closed) {
            term.stopped().complete(null);
        }
        return term.stopped();
    }

    /**
     * Waits to be elected within this time; null: without limit.
     *
     * @throws Failure if the time has passed, or the store refuses the candidate
     */
    ElectedTerm await(@Nullable CommandTimeout timeout) throws InterruptedException {
        while (true) {
            ElectedTerm term = terms.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            onPause(candidacy.pause());
            if (term != null) {
                return term;
            }
            refusals.check(candidacy.trouble());
            if (timeout != null && timeout.isOver()) {
                throw new Failure(
                        Exit.NOT_ACQUIRED,
                        "not elected in '" + name + "' within " + DurationOption.format(timeout.all()));
            }
        }
    }

    private void onPause(Optional<Pause> now) {
        if (!now.equals(told)) {
            told = now;
            Report.lineAside("'" + name + "' is " + now.map(Pause::toString).orElse("resumed"));
        }
    }

    /** Does not wait; what the store has not confirmed goes with the session. */
    @Override
    public void close() {
        // In this order; otherwise the candidate would stand again before it leaves.
        closed = true;
        CompletableFuture<Void> unused = candidacy.closeAsync();
        ElectedTerm last = latest;
        if (last != null) {
            last.stopped().complete(null);
        }
    }
}
