package io.baton.tck.sim.lock;

import io.baton.tck.sim.lock.LockTruth.Entry;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Checks that a waiter with a live session is granted, or its entry removed, within a bound of virtual time once no
 * entry ahead keeps it out.
 *
 * <p>The entries that are due are judged, by the store's truth, under these conditions. The session is alive, and the
 * store was not asked to end it. Its contact is {@link HealthyContact undisturbed}, and
 * {@link LockTruth#unrefusedNanos nothing is refused}. No hold was granted for it, or that hold was released or lost.
 * These conditions may not last longer than the bound. So the check detects a lost wake-up before an audit makes up for
 * it, and an entry without an owner. Entries of other programs have no session, and may stay.
 */
final class WakeUpBound {

    private final Simulation sim;
    private final LockTruth truth;
    private final LockInvariants invariants;
    private final Supplier<List<Entry>> due;
    private final LongSupplier unrefusedNanos;
    private final HealthyContact contacts;
    private final Duration bound;

    /** Since when each entry has been due and not held, by their tokens. */
    private Map<Long, Long> waiting = Map.of();

    /**
     * Checks whenever contacts are checked.
     *
     * @param due the entries of a line that could be granted
     * @param unrefusedNanos how long nothing has been refused that they need
     */
    WakeUpBound(
            Simulation sim,
            LockTruth truth,
            LockInvariants invariants,
            Supplier<List<Entry>> due,
            LongSupplier unrefusedNanos,
            HealthyContact contacts,
            Duration bound) {
        this.sim = sim;
        this.truth = truth;
        this.invariants = invariants;
        this.due = due;
        this.unrefusedNanos = unrefusedNanos;
        this.contacts = contacts;
        this.bound = bound;
        contacts.afterEveryLook(this::check);
    }

    private void check() {
        Map<Long, Long> before = waiting;
        waiting = new HashMap<>();
        for (Entry entry : due.get()) {
            if (!invariants.isHeld(entry.token())) {
                long since = before.getOrDefault(entry.token(), sim.now());
                waiting.put(entry.token(), since);
                check(entry, since);
            }
        }
    }

    private void check(Entry entry, long since) {
        long undisturbed = Math.min(contacts.undisturbedNanos(entry.session()), unrefusedNanos.getAsLong());
        long stuck = Math.min(sim.now() - since, undisturbed);
        if (truth.alive(entry.session()) && !invariants.isEndingByHand(entry.session())) {
            sim.check(
                    stuck < bound.toNanos(),
                    () -> "due in line, in undisturbed contact, and neither granted nor gone for " + bound.toMillis()
                            + " ms: " + entry + " of " + truth.line().size());
        }
    }
}
