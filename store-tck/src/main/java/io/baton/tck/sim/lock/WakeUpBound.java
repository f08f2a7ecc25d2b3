package io.baton.tck.sim.lock;

import io.baton.tck.sim.lock.LockTruth.Entry;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.List;

/**
 * Checks that a waiter with a live session is granted, or its entry removed, within a bound of virtual time once no
 * entry is ahead.
 *
 * <p>The first entry of the line is judged, by the store's truth, under these conditions. Its session is alive, and the
 * store was not asked to end it. Its contact is {@link HealthyContact undisturbed}, and
 * {@link LockTruth#unrefusedNanos nothing is refused}. No hold was granted for it, or that hold was released or lost.
 * These conditions may not last longer than the bound. So the check detects a lost wake-up before an audit makes up for
 * it, and an entry without an owner. Entries of other programs have no session, and may stay.
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

    /** Checks whenever contacts are checked. */
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
