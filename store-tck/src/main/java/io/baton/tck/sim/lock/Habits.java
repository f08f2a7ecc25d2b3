package io.baton.tck.sim.lock;

/**
 * How a contender uses its lock.
 *
 * @param lock the lock's name
 * @param ofItself whether it sometimes writes a record, and holds for long, at random
 * @param cancels whether it sometimes cancels, at random
 * @param mostHeldMillis how long it holds at most otherwise
 */
record Habits(String lock, boolean ofItself, boolean cancels, long mostHeldMillis) {

    /** The habits of the run's three main clients. */
    static final Habits USUAL = new Habits(LockRun.LOCK, true, true, 200);

    /** The habits of one contender among many, which holds for a moment. */
    static Habits shortly(String lock) {
        return new Habits(lock, false, false, 10);
    }

    /** The habits of a contender that holds for about a session timeout or longer. */
    static Habits forLong(String lock) {
        return new Habits(lock, false, false, 8_000);
    }

    /** The habits of one of several contenders in the main line, which holds for a moment. */
    static Habits inTheQueue() {
        return new Habits(LockRun.LOCK, false, true, 10);
    }
}
