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
 * What must be true of an election at every moment of a simulated run: at most one leads validly, terms rise, no
 * candidate has two works at a time, and whoever leads no more is told so once. Truth is what the store has decided.
 */
public final class ElectionInvariants implements Interventions {

    /** How soon a process that runs must have told its work to stop once its leadership is not certain any more. */
    private static final long SIGNAL_NANOS = 200_000_000;

    /** How long somebody must have been first for every observer to have seen him, when all is well. */
    private static final long LASTING_NANOS = 1_000_000_000;

    /** A hold whose entry may not be looked at is given up after a session timeout, which is no less than this. */
    private static final long LEAST_TIMEOUT_NANOS = 1_000_000_000;

    private final Simulation sim;
    private final LockTruth truth;
    private final ElectionRequests requests;
    private final List<SimTerm> open = new ArrayList<>();
    private final Set<Long> byHand = new HashSet<>();

    /** By their terms, those that may have been given up, and whose entries stand until their removal is allowed. */
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

    /** Looks after every step from now on. */
    public ElectionInvariants(Simulation sim, LockTruth truth) {
        this.sim = sim;
        this.truth = truth;
        this.requests = new ElectionRequests(sim);
        sim.afterEveryStep(this::check);
    }

    /** What was asked for by hand. */
    ElectionRequests requests() {
        return requests;
    }

    /** Runs what a callback does; what it throws fails the run, though callbacks may throw. */
    void guard(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException | Error thrown) {
            broken = broken == null ? thrown : broken;
        }
    }

    // ---- what is done by hand

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

    // ---- what candidates do

    void began(SimTerm term) {
        String before = terms.put(term.token(), term.owner().id());
        sim.check(before == null, term + " was begun twice");
        sim.check(term.leadership().stopReason().isEmpty(), term + " was begun though it is over");
        sim.check(
                open.stream().noneMatch(other -> other.owner() == term.owner()),
                term + " was begun before its candidate's last one had ended");
        // Whose entry was removed by hand leads until the next beat, and does not know of what came after that.
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

    /** Gives the term up; that is over once the entry has gone, or its session has ended as far as the client knows. */
    void resigning(SimTerm term, CompletableFuture<Void> over) {
        resigning.put(term, over);
        over.thenRun(() -> guard(() -> sim.check(
                byHand.contains(term.token()) || unseen.contains(term.token()) || !term.inItsSession() || !stands(term),
                term + " was resigned, and stands in the line")));
    }

    private boolean stands(SimTerm term) {
        return truth.line().stream().anyMatch(entry -> entry.token() == term.token());
    }

    /** An observer is told of this leader. */
    void seen(Leader leader) {
        String id = terms.getOrDefault(leader.term(), leader.id());
        sim.check(id.equals(leader.id()), leader + " is told of, who is " + id);
    }

    /** Another one is told to lead while this term's work goes on: only if it was over already, known or not. */
    void handedOverAtWork(SimTerm term) {
        sim.check(!term.valid() || byHand.contains(term.token()), term + " is handed over, and goes on");
    }

    // ---- looking on

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

    /** Who has to stop is told soon, as long as his process runs. */
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

    /** About work that does not stop in time something is done, as long as its process runs. */
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

    /** As long as the work goes on, and was certain to lead, its own side does not give the entry back. */
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

    /** From now on no leader who lasts may be missed. */
    void calm() {
        calm = true;
        headSince = sim.now();
    }

    /** Who was first for long enough to be seen by everybody since all is well, nobody included. */
    List<Long> lasting() {
        return lasting;
    }

    /** Who is first now, or nobody. */
    long head() {
        return head;
    }

    /** Everybody has stopped, and there was time to settle. */
    void checkEnd() {
        sim.check(truth.line().isEmpty(), "left in the line: " + truth.line());
        sim.check(open.isEmpty(), "still at work: " + open);
        resigning.forEach((term, over) -> sim.check(
                over.isDone()
                        || term.owner().leaving()
                        || term.owner().process().dead(),
                term + " was resigned, and nobody is told that it is over"));
    }

    /** How many terms there were. */
    public int terms() {
        return terms.size();
    }

    /** How many of them were lost. */
    public int losses() {
        return losses;
    }

    /** How often work did not stop in time. */
    public int lastResorts() {
        return lastResorts;
    }
}
