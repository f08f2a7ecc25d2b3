package io.baton.tck.sim.lock;

import io.baton.tck.sim.lock.LockTruth.Entry;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.List;

/**
 * Once those ahead are gone, a waiter of a live session is granted, or its entry goes, within a bound in virtual time.
 *
 * <p>Judged is the first entry of the line, by the store's truth, while it hangs on a live session that the store was not
 * asked to end, whose contact is {@link HealthyContact undisturbed}, while {@link LockTruth#unrefusedNanos nothing is refused},
 * and while nothing was granted for it, or what was granted has been given back or lost. This may not be so for longer than the bound. So a lost wake-up is found before an
 * audit makes up for it, and an entry without an owner as well. Entries of other programs hang on no session, and may stay.
 */
final class WakeUpBound {

    private final Simulation sim;
    private final LockTruth truth;
    private final LockInvariants invariants;
    private final HealthyContact contacts;
    private final Duration bound;
    private long version = -1;
    private List<Entry> line = List.of();
    private long waiting = -1;
    private long since;

    /** Looks whenever contacts are looked at. */
    WakeUpBound(Simulation sim, LockTruth truth, LockInvariants invariants, HealthyContact contacts, Duration bound) {
        this.sim = sim;
        this.truth = truth;
        this.invariants = invariants;
        this.contacts = contacts;
        this.bound = bound;
        contacts.afterEveryLook(this::check);
    }

    private void check() {
        if (version != truth.version()) {
            version = truth.version();
            line = truth.line();
        }
        if (line.isEmpty() || invariants.isHeld(line.get(0).token())) {
            waiting = -1;
            return;
        }
        Entry first = line.get(0);
        if (first.token() != waiting) {
            waiting = first.token();
            since = sim.now();
        }
        long undisturbed = Math.min(contacts.undisturbedNanos(first.session()), truth.unrefusedNanos());
        long stuck = Math.min(sim.now() - since, undisturbed);
        if (truth.alive(first.session()) && !invariants.isEndingByHand(first.session())) {
            sim.check(
                    stuck < bound.toNanos(),
                    () -> "first in line, in undisturbed contact, and neither granted nor gone for " + bound.toMillis()
                            + " ms: " + first + " of " + line.size());
        }
    }
}
