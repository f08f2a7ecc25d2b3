package io.baton.chaos.client;

import io.baton.Hold;
import io.baton.MultiHold;
import io.baton.PermitHold;
import java.util.List;

/**
 * What a contender was granted: one hold, or several that were acquired together.
 *
 * @param claim how a history tells whom the holds let in beside them, keys and values in turns; empty if nobody
 * @param close releases all
 * @param releaseAsync releases all, without waiting
 */
record GrantedHolds(List<Hold> holds, List<Object> claim, Runnable close, Runnable releaseAsync) {

    private static GrantedHolds one(Hold hold, Object... claim) {
        return new GrantedHolds(List.of(hold), List.of(claim), hold::close, hold::releaseAsync);
    }

    /** A hold of a lock, or a writer's. */
    static GrantedHolds exclusive(Hold hold) {
        return one(hold);
    }

    /** A reader's hold. */
    static GrantedHolds shared(Hold hold) {
        return one(hold, "claim", "shared");
    }

    /** Permits of a semaphore of this size. */
    static GrantedHolds permits(PermitHold hold, int size) {
        return one(hold, "permits", hold.permits(), "size", size);
    }

    /** Holds of several locks. */
    static GrantedHolds together(MultiHold holds) {
        return new GrantedHolds(List.copyOf(holds.holds().values()), List.of(), holds::close, holds::releaseAsync);
    }

    /** Whether nobody else holds meanwhile. */
    boolean exclusive() {
        return claim.isEmpty();
    }
}
