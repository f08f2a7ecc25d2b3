package io.baton.tck.sim.lock;

import io.baton.spi.Claim;
import io.baton.tck.sim.lock.LockInvariants.Held;
import io.baton.tck.sim.lock.LockTruth.Entry;
import io.baton.testkit.sim.Simulation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Admits an entry once no entry ahead of it conflicts. So a reader never overtakes a writer that waits. A downgraded
 * entry shares the line from the moment at which the store has applied that; its hold excludes others until its owner
 * asks for that.
 */
class ClaimAdmission implements Admission {

    private final Simulation sim;
    private final LockTruth truth;

    /** The tokens of entries that were seen to share the line. A mark may be lost later. */
    private final Set<Long> wereShared = new HashSet<>();

    /** Those of downgraded ones whose owners have learned that. */
    private final Set<Long> shared = new HashSet<>();

    private long looked = -1;

    ClaimAdmission(Simulation sim, LockTruth truth) {
        this.sim = sim;
        this.truth = truth;
    }

    @Override
    public void look() {
        if (looked == truth.version()) {
            return;
        }
        looked = truth.version();
        for (Entry entry : truth.line()) {
            if (truth.claim(entry).equals(Claim.SHARED)) {
                wereShared.add(entry.token());
            }
        }
    }

    @Override
    public boolean wasShared(Entry entry) {
        return wereShared.contains(entry.token());
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
            if (claim.equals(Claim.EXCLUSIVE) || !wasShared(other)) {
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
            boolean excludes = truth.claim(entry).equals(Claim.EXCLUSIVE) && !shared.contains(entry.token());
            if (exclusive || (excludes && !due.isEmpty())) {
                break; // all behind wait for an exclusive entry
            }
            due.add(entry);
            exclusive = excludes;
        }
        return due;
    }

    /** Readers behind have to be granted from now on, even if the store forgets that the entry was downgraded. */
    @Override
    public void shares(long token) {
        shared.add(token);
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
