package io.baton.tck.sim.election;

import org.jspecify.annotations.Nullable;

/**
 * The course of a simulated node's task.
 *
 * @param takesNanos when it ends by itself; {@link #NEVER} if it does not
 * @param heedsNanos how soon it ends after an interrupt; {@link #NEVER} if it ignores interrupts
 * @param thrown the exception when it ends by itself; null if none
 * @param heedThrows whether it throws when it ends by an interrupt
 * @param effect what it has done by the time it ends by itself
 */
record Course(long takesNanos, long heedsNanos, @Nullable Throwable thrown, boolean heedThrows, Runnable effect) {

    static final long NEVER = -1;

    /** Ends by itself, without an exception. */
    static Course returns(long takesNanos, long heedsNanos) {
        return new Course(takesNanos, heedsNanos, null, true, () -> {});
    }

    /** Ends by itself, with this exception. */
    static Course fails(long takesNanos, long heedsNanos, String why) {
        return new Course(takesNanos, heedsNanos, new IllegalStateException(why), true, () -> {});
    }

    /** Runs until it is interrupted. */
    static Course untilInterrupted(long heedsNanos, boolean heedThrows) {
        return new Course(NEVER, heedsNanos, null, heedThrows, () -> {});
    }

    /** Never ends. */
    static Course endless() {
        return untilInterrupted(NEVER, true);
    }

    /** The same course with this effect. */
    Course with(Runnable what) {
        return new Course(takesNanos, heedsNanos, thrown, heedThrows, what);
    }

    /** Whether it still runs after this budget and, interrupted then, this grace. */
    boolean exceeds(long budgetNanos, long graceNanos) {
        boolean inTime = takesNanos != NEVER && takesNanos < budgetNanos;
        return !inTime && (heedsNanos == NEVER || heedsNanos >= graceNanos);
    }
}
