package io.baton.chaos.client;

import io.baton.Hold;
import io.baton.LockOptions;
import io.baton.MultiHold;
import io.baton.PermitHold;
import io.baton.recipes.Seat;
import java.time.Duration;
import java.util.List;

/**
 * What a contender was granted: one hold, or several that were acquired together.
 *
 * @param exclusive whether nobody else holds meanwhile
 * @param details what a history tells of each hold besides, keys and values in turns
 * @param least for how long it is held at least, so that something happens meanwhile
 * @param close releases all
 * @param releaseAsync releases all, without waiting
 */
record GrantedHolds(
        List<Hold> holds,
        boolean exclusive,
        List<Object> details,
        Duration least,
        Runnable close,
        Runnable releaseAsync) {

    private static final Duration LEAST_TO_LOSE = Duration.ofSeconds(1);

    private static GrantedHolds one(Hold hold, boolean exclusive, Duration least, Object... details) {
        return new GrantedHolds(List.of(hold), exclusive, List.of(details), least, hold::close, hold::releaseAsync);
    }

    /** A hold of a lock, or a writer's. */
    static GrantedHolds exclusive(Hold hold) {
        return one(hold, true, Duration.ZERO);
    }

    /** A hold of a lock with these options. */
    static GrantedHolds exclusive(Hold hold, LockOptions options) {
        return one(
                hold,
                true,
                options.delayAfterLoss().isZero() ? Duration.ZERO : LEAST_TO_LOSE,
                "hand-overs",
                options.cohort(),
                "at-least",
                options.holdAtLeast().toNanos(),
                "after-loss",
                options.delayAfterLoss().toNanos());
    }

    /** A reader's hold. */
    static GrantedHolds shared(Hold hold) {
        return one(hold, false, Duration.ZERO, "claim", "shared");
    }

    /** A seat, by the hold of its lock. */
    static GrantedHolds seat(Seat seat) {
        return new GrantedHolds(List.of(seat.hold()), true, List.of(), Duration.ZERO, seat::close, seat::releaseAsync);
    }

    /** Permits of a semaphore of this size. */
    static GrantedHolds permits(PermitHold hold, int size) {
        return one(hold, false, Duration.ZERO, "permits", hold.permits(), "size", size);
    }

    /** Holds of several locks. */
    static GrantedHolds together(MultiHold holds) {
        return new GrantedHolds(
                List.copyOf(holds.holds().values()), true, List.of(), Duration.ZERO, holds::close, holds::releaseAsync);
    }
}
