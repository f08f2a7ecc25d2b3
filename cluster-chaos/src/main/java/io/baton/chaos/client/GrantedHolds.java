package io.baton.chaos.client;

import io.baton.Hold;
import io.baton.LockOptions;
import io.baton.MultiHold;
import io.baton.PermitHold;
import java.util.List;

/**
 * What a contender was granted: one hold, or several that were acquired together.
 *
 * @param exclusive whether nobody else holds meanwhile
 * @param details what a history tells of each hold besides, keys and values in turns
 * @param close releases all
 * @param releaseAsync releases all, without waiting
 */
record GrantedHolds(List<Hold> holds, boolean exclusive, List<Object> details, Runnable close, Runnable releaseAsync) {

    private static GrantedHolds one(Hold hold, boolean exclusive, Object... details) {
        return new GrantedHolds(List.of(hold), exclusive, List.of(details), hold::close, hold::releaseAsync);
    }

    /** A hold of a lock, or a writer's. */
    static GrantedHolds exclusive(Hold hold) {
        return one(hold, true);
    }

    /** A hold of a lock with these options. */
    static GrantedHolds exclusive(Hold hold, LockOptions options) {
        return one(
                hold,
                true,
                "hand-overs",
                options.cohort(),
                "at-least",
                options.holdAtLeast().toNanos(),
                "after-loss",
                options.delayAfterLoss().toNanos());
    }

    /** A reader's hold. */
    static GrantedHolds shared(Hold hold) {
        return one(hold, false, "claim", "shared");
    }

    /** Permits of a semaphore of this size. */
    static GrantedHolds permits(PermitHold hold, int size) {
        return one(hold, false, "permits", hold.permits(), "size", size);
    }

    /** Holds of several locks. */
    static GrantedHolds together(MultiHold holds) {
        return new GrantedHolds(
                List.copyOf(holds.holds().values()), true, List.of(), holds::close, holds::releaseAsync);
    }
}
