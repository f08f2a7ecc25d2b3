package io.baton.tck.sim.election;

import io.baton.election.Leader;
import io.baton.election.Leadership;
import io.baton.tck.sim.lock.Interventions;
import io.baton.tck.sim.lock.LockTruth;
import io.baton.tck.sim.lock.LockTruth.Entry;
import io.baton.testkit.sim.Simulation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The invariants of an election in a simulated run. At most one candidate leads validly, terms rise, a candidate has
 * one task of work at a time, and a leader receives one stop signal. Truth is what the store has decided.
 */
public final class ElectionInvariants implements Interventions {

    /** The time within which a running process must signal its work to stop once its leadership is uncertain. */
    private static final long SIGNAL_NANOS = 200_000_000;

    /** The time that a head must last for every observer to see it, when there are no faults. */
    private static final long LASTING_NANOS = 1_000_000_000;

    /** If an entry cannot be read, its hold is given up after a session timeout, which is at least this long. */
    private static final long LEAST_TIMEOUT_NANOS = 1_000_000_000;

    private final Simulation sim;
    private final LockTruth truth;
    private final ElectionRequests requests;
    private final List<SimTerm> open = new ArrayList<>();
    private final Set<Long> byHand = new HashSet<>();

    /** The terms that may have been given up while their entries stand, until their removal is possible. */
    private final Set<Long> unseen = new HashSet<>();

    private final Map<Long, String> terms = new HashMap<>();
    private final Map<SimTerm, CompletableFuture<Void>> resigning = new LinkedHashMap<>();
    private final List<Long> lasting = new ArrayList<>();
    private long newest;
    private long version = -1;
    private long head;
    private long headSince;
    private boolean calm;
    private int losses;
    private int lastResorts;
    private @Nullable Throwable broken;

    /** Checks after every step from now on. */
    public ElectionInvariants(Simulation sim, LockTruth truth) {
        this.sim = sim;
        this.truth = truth;
        this.requests = new ElectionRequests(sim);
        sim.afterEveryStep(this::check);
    }

    /** The hand-overs and pauses that were requested. */
    ElectionRequests requests() {
        return requests;
    }

    /** Runs a callback; an exception fails the run, though callbacks may throw. */
    void guard(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException | Error thrown) {
            broken = broken == null ? thrown : broken;
        }
    }

    // ---- interventions

    @Override
    public void deletedByHand(long token) {
        byHand.add(token);
    }

    @Override
    public void endingByHand(long session) {
        endedByHand(session);
    }

    @Override
    public void endedByHand(long session) {
        truth.line().stream().filter(entry -> entry.session() == session).forEach(entry -> byHand.add(entry.token()));
    }

    @Override
    public boolean valid(long token) {
        return open.stream().anyMatch(term -> term.token() == token && term.valid());
    }

    // ---- candidates

    void began(SimTerm term) {
        String before = terms.put(term.token(), term.owner().id());
        sim.check(before == null, term + " was begun twice");
        sim.check(term.leadership().stopReason().isEmpty(), term + " was begun though it is over");
        sim.check(
                open.stream().noneMatch(other -> other.owner() == term.owner()),
                term + " was begun before its candidate's last one had ended");
        // If its entry was removed by hand, a candidate leads until the next beat, and later terms may have begun
        // already.
        if (term.valid() && !byHand.contains(term.token())) {
            sim.check(
                    !requests.barred(term.owner().id()),
                    term + " was begun while the election is paused for another one");
            sim.check(term.token() > newest, term + " after " + Long.toHexString(newest));
            List<Entry> line = truth.line();
            sim.check(
                    !line.isEmpty() && line.get(0).token() == term.token(), term + " was begun, but first is " + line);
        }
        newest = Math.max(newest, term.token());
        term.entry = truth.line().stream()
                .filter(entry -> entry.token() == term.token())
                .findAny()
                .orElse(null);
        open.add(term);
    }

    void ended(SimTerm term) {
        open.remove(term);
    }

    void lost() {
        losses++;
    }

    void lastResort(Leadership leadership) {
        lastResorts++;
        open.stream().filter(term -> term.leadership() == leadership).forEach(SimTerm::takeLastResort);
    }

    /** Resigns the term. That is complete once the entry is gone, or the client has seen its session end. */
    void resigning(SimTerm term, CompletableFuture<Void> over) {
        resigning.put(term, over);
        over.thenRun(() -> guard(() -> sim.check(
                byHand.contains(term.token()) || unseen.contains(term.token()) || !term.inItsSession() || !stands(term),
                term + " was resigned, and stands in the line")));
    }

    private boolean stands(SimTerm term) {
        return truth.line().stream().anyMatch(entry -> entry.token() == term.token());
    }

    /** An observer receives this leader. */
    void seen(Leader leader) {
        String id = terms.getOrDefault(leader.term(), leader.id());
        sim.check(id.equals(leader.id()), leader + " is told of, who is " + id);
    }

    /** A hand-over has completed while this term's work goes on; the term must be over already. */
    void handedOverAtWork(SimTerm term) {
        sim.check(!term.valid() || byHand.contains(term.token()), term + " is handed over, and goes on");
    }

    // ---- checks

    private void check() {
        if (broken != null) {
            throw new AssertionError(broken.getMessage(), broken);
        }
        open.removeIf(term -> term.owner().process().dead());
        long valid = open.stream()
                .filter(term -> !byHand.contains(term.token()) && term.valid())
                .count();
        sim.check(valid <= 1, "several lead at once: " + open);
        if (truth.unseenNanos() >= LEAST_TIMEOUT_NANOS) {
            open.forEach(term -> unseen.add(term.token()));
        }
        open.forEach(this::checkStopped);
        open.forEach(SimTerm::look);
        if (version != truth.version()) {
            version = truth.version();
            lookAtHead();
            open.forEach(this::checkStands);
        }
    }

    private void checkStopped(SimTerm term) {
        boolean interrupted = term.interrupted();
        checkTold(term, interrupted);
        checkStuck(term, interrupted);
    }

    /** If work has to stop, a running process signals it soon. */
    private void checkTold(SimTerm term, boolean interrupted) {
        if (!term.uncertain() || interrupted) {
            term.uncertainSince = -1;
        } else if (term.uncertainSince < 0) {
            term.uncertainSince = sim.now();
        } else {
            sim.check(
                    term.told() || sim.now() - term.uncertainSince < SIGNAL_NANOS,
                    term + " has to stop, and its work was not told");
        }
    }

    /** If work does not stop in time, a running process takes the last resort. */
    private void checkStuck(SimTerm term, boolean interrupted) {
        if (!term.told() || term.lastResort() || term.owner().leaving() || interrupted) {
            term.overdueSince = -1;
        } else if (term.overdueSince < 0) {
            term.overdueSince = sim.now();
        } else {
            long limit = term.owner().stopTimeout().toNanos() + SIGNAL_NANOS;
            sim.check(
                    sim.now() - term.overdueSince < limit,
                    "nothing is done about " + term + ", whose work does not stop");
        }
    }

    /** While the work goes on and was certain to lead, its client does not remove the entry. */
    private void checkStands(SimTerm term) {
        Entry entry = term.entry;
        if (entry == null || byHand.contains(term.token()) || term.owner().abandoned() || !term.wasValid()) {
            return;
        }
        sim.check(truth.stands(entry) || !truth.alive(entry.session()), term + " was given back, and its work goes on");
    }

    private void lookAtHead() {
        List<Entry> line = truth.line();
        long now = line.isEmpty() ? SimWatcher.NOBODY : line.get(0).token();
        if (now != head) {
            if (calm && sim.now() - headSince >= LASTING_NANOS) {
                lasting.add(head);
            }
            head = now;
            headSince = sim.now();
        }
    }

    /** From now on observers must see every lasting leader. */
    void calm() {
        calm = true;
        headSince = sim.now();
    }

    /** The heads that lasted long enough to be seen since {@link #calm}, an empty line included. */
    List<Long> lasting() {
        return lasting;
    }

    /** The token at the head of the line now, or {@link SimWatcher#NOBODY}. */
    long head() {
        return head;
    }

    /** Checks the end of a run, after all have stopped and settled. */
    void checkEnd() {
        sim.check(truth.line().isEmpty(), "left in the line: " + truth.line());
        sim.check(open.isEmpty(), "still at work: " + open);
        resigning.forEach((term, over) -> sim.check(
                over.isDone()
                        || term.owner().leaving()
                        || term.owner().process().dead(),
                term + " was resigned, and nobody is told that it is over"));
    }

    /** The number of terms. */
    public int terms() {
        return terms.size();
    }

    /** The number of terms lost. */
    public int losses() {
        return losses;
    }

    /** How often work did not stop in time. */
    public int lastResorts() {
        return lastResorts;
    }
}
