package io.baton.tck.sim.lock;

import io.baton.HoldState;
import io.baton.tck.sim.lock.LockInvariants.Held;
import io.baton.tck.sim.lock.LockTruth.Entry;
import io.baton.testkit.sim.Simulation;

/**
 * In contact, with a live session, a hold stays HELD.
 *
 * <p>Judged is a hold whose entry stands, whose session the store has not ended and was not asked to end, and whose
 * contact has been {@link HealthyContact undisturbed} for half a session timeout, a server's tick and a second: by then it
 * rests on a proof from undisturbed times. It must be HELD, and its owner is not told that it is lost. Once a beat was answered since the grant, it must also show half
 * of its timeout at least, but for the time that late messages take. What the store refuses meanwhile disturbs nothing; only
 * a hold whose entry may not be looked at for a session timeout may be given up. (A session that neither held nor was next in line
 * proves itself less often, and a hold that is granted then begins with what is left; and while something is refused, a
 * beat may pass without a proof, so that a quarter has to be left.)
 */
final class SteadyHolds {

    /** What a run of messages may take that are late in a network in order; each takes up to 60 ms, a few of a hundred do. */
    private static final long LATE_NANOS = 200_000_000;

    /** By then the beat has been answered that a session sends when it begins to hold. */
    private static final long FIRST_BEAT_NANOS = 500_000_000;

    private static final long RECOVERY_NANOS = 1_000_000_000;

    private final Simulation sim;
    private final LockTruth truth;
    private final LockInvariants invariants;
    private final HealthyContact contacts;
    private final long tickNanos;
    private long judged;

    /** Looks whenever contacts are looked at; {@code tickNanos} is 0 for a store without ticks. */
    SteadyHolds(Simulation sim, LockTruth truth, LockInvariants invariants, HealthyContact contacts, long tickNanos) {
        this.sim = sim;
        this.truth = truth;
        this.invariants = invariants;
        this.contacts = contacts;
        this.tickNanos = tickNanos;
        contacts.afterEveryLook(this::check);
        invariants.afterEveryLoss(this::checkLoss);
    }

    /** How many looks at a hold there were. */
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

    /** Told as soon as it happens, and then open no more: by the next look it would not be seen. */
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
