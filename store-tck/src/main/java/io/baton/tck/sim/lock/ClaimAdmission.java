package io.baton.tck.sim.lock;

import io.baton.spi.Claim;
import io.baton.tck.sim.lock.LockInvariants.Held;
import io.baton.tck.sim.lock.LockTruth.Entry;
import io.baton.testkit.sim.Simulation;
import java.util.ArrayList;
import java.util.List;

/**
 * Admits an entry once no entry ahead of it conflicts. So a reader never overtakes a writer that waits. A downgraded
 * entry shares the line from the moment at which the store has applied that; its hold excludes others until its owner
 * asks for that.
 */
final class ClaimAdmission implements Admission {

    private final Simulation sim;
    private final LockTruth truth;

    ClaimAdmission(Simulation sim, LockTruth truth) {
        this.sim = sim;
        this.truth = truth;
    }

    @Override
    public boolean admits(Entry entry) {
        return awaited(entry).isEmpty();
    }

    @Override
    public boolean keepsOut(Entry entry) {
        return !admits(entry);
    }

    @Override
    public List<Entry> awaited(Entry entry) {
        Claim claim = truth.claim(entry);
        var ahead = new ArrayList<Entry>();
        for (Entry other : truth.line()) {
            if (other.token() == entry.token()) {
                break;
            }
            if (claim.conflictsWith(truth.claim(other))) {
                ahead.add(other);
            }
        }
        return ahead;
    }

    @Override
    public List<Entry> due() {
        var due = new ArrayList<Entry>();
        boolean exclusive = false;
        for (Entry entry : truth.line()) {
            boolean excludes = truth.claim(entry).equals(Claim.EXCLUSIVE);
            if (exclusive || excludes && !due.isEmpty()) {
                break; // all behind wait for an exclusive entry
            }
            due.add(entry);
            exclusive = excludes;
        }
        return due;
    }

    @Override
    public void checkTogether(List<Held> valid) {
        Held exclusive = valid.stream()
                .filter(held -> held.claim.equals(Claim.EXCLUSIVE))
                .findFirst()
                .orElse(null);
        sim.check(exclusive == null, () -> "several hold at once: " + exclusive + " among " + valid);
    }
}
