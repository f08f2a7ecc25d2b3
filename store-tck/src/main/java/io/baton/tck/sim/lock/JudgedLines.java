package io.baton.tck.sim.lock;

import io.baton.tck.sim.lock.LockTruth.Entry;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The lines of a run and their checks. Lines other than the main one are checked once they are used. */
public final class JudgedLines implements Interventions {

    /**
     * Time bounds of a store.
     *
     * @param tick the servers' tick, or zero
     * @param wakeUp the bound of {@link WakeUpBound}
     * @param lateEvents how much later than an answer an event may come that is sent before it; zero if they come in
     *     one order
     * @param undisturbed how long a contact has to be undisturbed for that
     */
    public record Bounds(Duration tick, Duration wakeUp, Duration lateEvents, Duration undisturbed) {}

    private final Simulation sim;
    private final Function<String, LockTruth> truths;
    private final Bounds bounds;
    private final boolean forgetful;
    private final HealthyContact contacts;
    private final SteadyHolds steadyHolds;
    private final AuditsFindNothing audits;
    private final List<LockInvariants> all = new ArrayList<>();
    private final Map<String, LockInvariants> lines = new LinkedHashMap<>();

    /**
     * Starts with the run's main line only.
     *
     * @param main its invariants
     * @param truths the truth of each further lock
     * @param forgetful whether servers forget events
     */
    public JudgedLines(
            Simulation sim,
            LockTruth truth,
            LockInvariants main,
            Function<String, LockTruth> truths,
            Bounds bounds,
            boolean forgetful) {
        this.sim = sim;
        this.truths = truths;
        this.bounds = bounds;
        this.forgetful = forgetful;
        contacts = new HealthyContact(sim);
        audits = new AuditsFindNothing(sim, contacts, bounds.lateEvents, bounds.undisturbed);
        steadyHolds = judge(main, truth);
    }

    private SteadyHolds judge(LockInvariants invariants, LockTruth truth) {
        var steady = new SteadyHolds(sim, truth, invariants, contacts, bounds.tick.toNanos());
        if (!forgetful) {
            new WakeUpBound(sim, truth, invariants, invariants::due, truth::unrefusedNanos, contacts, bounds.wakeUp);
            audits.judge(truth);
        }
        all.add(invariants);
        return steady;
    }

    /** Adds a line in which contenders wait for the main one. */
    void queue(LockTruth queue) {
        if (!forgetful) {
            audits.judge(queue);
        }
    }

    /**
     * Adds entries that have to move on, or go.
     *
     * @param due those of them that could do so
     */
    void due(LockTruth queue, LockTruth main, Supplier<List<Entry>> due) {
        if (!forgetful) {
            LongSupplier unrefused = () -> Math.min(queue.unrefusedNanos(), main.unrefusedNanos());
            new WakeUpBound(sim, queue, all.get(0), due, unrefused, contacts, bounds.wakeUp);
        }
    }

    /** The invariants of this lock. */
    LockInvariants of(String lock) {
        return lock.equals(LockRun.LOCK) ? all.get(0) : lines.computeIfAbsent(lock, this::another);
    }

    private LockInvariants another(String lock) {
        LockTruth truth = truths.apply(lock);
        var invariants = new LockInvariants(sim, truth);
        invariants.likeThat(all.get(0));
        judge(invariants, truth);
        return invariants;
    }

    /** Adds a client's contact. */
    public void add(Contact contact) {
        contacts.add(contact);
    }

    /** Adds the findings of a session's audits. */
    public void add(AuditsFindNothing.Findings findings) {
        audits.add(findings);
    }

    /** Adds its event counts. */
    void addTo(Map<String, Long> totals) {
        totals.merge("looks at holds in undisturbed contact", steadyHolds.judged(), Long::sum);
        String found = bounds.lateEvents.isZero() ? "lost events" : "lost or late events";
        totals.merge(found + " found by audits", audits.count(), Long::sum);
    }

    void checkEnd() {
        all.forEach(LockInvariants::checkEnd);
    }

    @Override
    public void deletedByHand(long token) {
        all.forEach(each -> each.deletedByHand(token));
    }

    @Override
    public void endingByHand(long session) {
        all.forEach(each -> each.endingByHand(session));
    }

    @Override
    public void endedByHand(long session) {
        all.forEach(each -> each.endedByHand(session));
    }

    @Override
    public boolean valid(long token) {
        return all.stream().anyMatch(each -> each.valid(token));
    }
}
