package io.baton.tck.sim.lock;

import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The lines of a run, and what judges them. Those beside the one that it is about are judged once they are used. */
public final class JudgedLines implements Interventions {

    /**
     * How soon things happen on a store.
     *
     * @param tick that of the servers, or none
     * @param wakeUp the bound of {@link WakeUpBound}
     * @param lateEvents how much later than an answer an event may come that is sent before it; zero if they come in one order
     * @param undisturbed for how long a contact has to be undisturbed for that
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
     * Only the line that the run is about.
     *
     * @param main its invariants
     * @param truths the truth of each further lock
     * @param forgetful whether servers forget to tell of events
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
            new WakeUpBound(sim, truth, invariants, contacts, bounds.wakeUp);
            audits.judge(truth);
        }
        all.add(invariants);
        return steady;
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

    /** One more client's contact. */
    public void add(Contact contact) {
        contacts.add(contact);
    }

    /** What the audits of one more session find. */
    public void add(AuditsFindNothing.Findings findings) {
        audits.add(findings);
    }

    /** Adds how often what has been looked at, and found. */
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
