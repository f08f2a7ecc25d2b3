package io.baton.tck.sim.lock;

import io.baton.HoldState;
import io.baton.tck.sim.lock.LockInvariants.Held;
import io.baton.tck.sim.lock.LockTruth.Entry;
import io.baton.testkit.sim.Simulation;

/**
 * Checks that a hold stays HELD in contact, with a live session.
 *
 * <p>A hold is judged under these conditions. Its entry stands. The store has neither ended its session nor was asked
 * to. Its contact has been {@link HealthyContact undisturbed} for half a session timeout, a server's tick and a second.
 * So the hold rests on a proof from undisturbed times. Then it must be HELD, and its owner receives no loss event. Once
 * a beat was answered since the grant, at least half of its timeout must remain, less the time of late messages.
 * Refusals by the store are no excuse, unless the entry cannot be read for almost a session timeout.
 *
 * <p>A session that neither held nor was next in line proves itself less often, so a new hold begins with what is left.
 * While requests are refused, a beat may pass without a proof; then a quarter of the timeout must remain.
 */
final class SteadyHolds {

    /**
     * The time for a series of late messages in a healthy network. A few messages in a hundred are late, by up to 60 ms
     * each.
     */
    private static final long LATE_NANOS = 200_000_000;

    /** The time within which the first beat after a grant is answered. */
    private static final long FIRST_BEAT_NANOS = 500_000_000;

    private static final long RECOVERY_NANOS = 1_000_000_000;

    private final Simulation sim;
    private final LockTruth truth;
    private final LockInvariants invariants;
    private final HealthyContact contacts;
    private final long tickNanos;
    private long judged;

    /** Checks whenever contacts are checked; {@code tickNanos} is 0 for a store without ticks. */
    SteadyHolds(Simulation sim, LockTruth truth, LockInvariants invariants, HealthyContact contacts, long tickNanos) {
        this.sim = sim;
        this.truth = truth;
        this.invariants = invariants;
        this.contacts = contacts;
        this.tickNanos = tickNanos;
        contacts.afterEveryLook(this::check);
        invariants.afterEveryLoss(this::checkLoss);
    }

    /** The number of checks of holds. */
    long judged() {
        return judged;
    }

    private void check() {
        for (Held held : invariants.open()) {
            Entry entry = held.entry;
            if (held.isOpen() && entry != null && mayBeJudged(held, entry)) {
                judge(held, entry);
            }
        }
    }

    /** Checks a loss at once; the hold is no longer open at the next look. */
    private void checkLoss(Held held) {
        contacts.look();
        Entry entry = held.entry;
        if (entry == null || held.released || invariants.isDeletedByHand(held.hold.token())) {
            return;
        }
        if (mayBeJudged(held, entry)) {
            judged++;
            sim.check(
                    false,
                    () -> held + " is lost without need, in undisturbed contact for "
                            + contacts.undisturbedNanos(entry.session()) / 1_000_000 + " ms");
        }
    }

    private boolean mayBeJudged(Held held, Entry entry) {
        long session = entry.session();
        long bound = held.owner.timeout().toNanos() / 2 + tickNanos + RECOVERY_NANOS;
        return contacts.undisturbedNanos(session) > bound
                && truth.alive(session)
                && truth.stands(entry)
                && truth.unseenNanos() < held.owner.timeout().toNanos() * 9 / 10
                && !invariants.isEndingByHand(session);
    }

    private void judge(Held held, Entry entry) {
        HoldState state = held.look();
        if (state == HoldState.RELEASED) {
            return; // its coordinator was closed
        }
        judged++;
        long timeout = held.owner.timeout().toNanos();
        long least = truth.unrefusedNanos() < timeout ? timeout / 4 : timeout / 2;
        boolean enough =
                held.hold.remaining().toNanos() >= least - LATE_NANOS || sim.now() - held.grantedAt < FIRST_BEAT_NANOS;
        sim.check(
                state == HoldState.HELD && enough,
                () -> held + " does not stay held, in undisturbed contact for "
                        + contacts.undisturbedNanos(entry.session()) / 1_000_000 + " ms");
    }
}
