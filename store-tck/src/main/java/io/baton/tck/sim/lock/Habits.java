package io.baton.tck.sim.lock;

import io.baton.Coordinator;
import java.util.SplittableRandom;

/**
 * How a contender uses its lock.
 *
 * @param lock the lock's name
 * @param asking how it asks for a hold
 * @param ofItself whether it sometimes writes a record, and holds for long, at random
 * @param cancels whether it sometimes cancels, at random
 * @param mostHeldMillis how long it holds at most otherwise
 */
record Habits(String lock, Asking asking, boolean ofItself, boolean cancels, long mostHeldMillis) {

    /** Asks for a hold. */
    interface Asking {
        /** Asks this coordinator; what is asked for may be drawn. */
        Asked ask(Coordinator coordinator, SplittableRandom chance);
    }

    /** The habits of the run's three main clients. */
    static Habits usual(Asking asking) {
        return new Habits(LockRun.LOCK, asking, true, true, 200);
    }

    /** The habits of one contender among many, which holds for a moment. */
    static Habits shortly(String lock) {
        return new Habits(lock, Asked.of(lock), false, false, 10);
    }

    /** The habits of a contender that holds for about a session timeout or longer. */
    static Habits forLong(String lock) {
        return new Habits(lock, Asked.of(lock), false, false, 8_000);
    }

    /** The habits of one of several contenders in the main line, which holds for a moment. */
    static Habits inTheQueue(Asking asking) {
        return new Habits(LockRun.LOCK, asking, false, true, 10);
    }
}
