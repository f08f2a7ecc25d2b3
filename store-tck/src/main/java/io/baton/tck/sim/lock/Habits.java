package io.baton.tck.sim.lock;

/**
 * How a contender uses its lock.
 *
 * @param lock which one
 * @param ofItself whether it sometimes writes a record, gives up, and holds for long, as it is drawn
 * @param mostHeldMillis how long it holds at most otherwise
 */
record Habits(String lock, boolean ofItself, long mostHeldMillis) {

    /** Those of the three clients that the run is about. */
    static final Habits USUAL = new Habits(LockRun.LOCK, true, 200);

    /** One of many, who holds for a moment. */
    static Habits shortly(String lock) {
        return new Habits(lock, false, 10);
    }

    /** One who holds for about as long as a session lives without a sign of life, or longer. */
    static Habits forLong(String lock) {
        return new Habits(lock, false, 8_000);
    }
}
