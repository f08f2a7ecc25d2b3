package io.baton.tck.sim.lock;

/**
 * How a contender uses its lock.
 *
 * @param lock the lock's name
 * @param ofItself whether it sometimes writes a record, cancels, and holds for long, at random
 * @param mostHeldMillis how long it holds at most otherwise
 */
record Habits(String lock, boolean ofItself, long mostHeldMillis) {

    /** The habits of the run's three main clients. */
    static final Habits USUAL = new Habits(LockRun.LOCK, true, 200);

    /** The habits of one contender among many, which holds for a moment. */
    static Habits shortly(String lock) {
        return new Habits(lock, false, 10);
    }

    /** The habits of a contender that holds for about a session timeout or longer. */
    static Habits forLong(String lock) {
        return new Habits(lock, false, 8_000);
    }
}
