package io.baton.tck.sim.lock;

import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The lines of a run beside the one that it is about, each with its invariants, which are made when one is first used. */
public final class JudgedLines implements Interventions {

    private final Simulation sim;
    private final HealthyContact contacts;
    private final AuditsFindNothing audits;
    private final Function<String, LockTruth> truths;
    private final Duration tick;
    private final Duration wakeUp;
    private final boolean forgetful;
    private final List<LockInvariants> all = new ArrayList<>();
    private final Map<String, LockInvariants> lines = new LinkedHashMap<>();

    /**
     * Only the line that the run is about.
     *
     * @param main its invariants
     * @param audits to judge each further line, too, unless servers forget
     * @param truths the truth of each further lock
     * @param tick that of the servers, or none
     * @param wakeUp the bound of {@link WakeUpBound}
     * @param forgetful whether servers forget to tell of events
     */
    public JudgedLines(
            Simulation sim,
            LockInvariants main,
            HealthyContact contacts,
            AuditsFindNothing audits,
            Function<String, LockTruth> truths,
            Duration tick,
            Duration wakeUp,
            boolean forgetful) {
        this.sim = sim;
        this.contacts = contacts;
        this.audits = audits;
        this.truths = truths;
        this.tick = tick;
        this.wakeUp = wakeUp;
        this.forgetful = forgetful;
        all.add(main);
    }

    /** The invariants of this lock. */
    LockInvariants of(String lock) {
        return lock.equals(LockRun.LOCK) ? all.get(0) : lines.computeIfAbsent(lock, this::another);
    }

    private LockInvariants another(String lock) {
        LockTruth truth = truths.apply(lock);
        var invariants = new LockInvariants(sim, truth);
        invariants.likeThat(all.get(0));
        new SteadyHolds(sim, truth, invariants, contacts, tick.toNanos());
        if (!forgetful) {
            new WakeUpBound(sim, truth, invariants, contacts, wakeUp);
            audits.judge(truth);
        }
        all.add(invariants);
        return invariants;
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
