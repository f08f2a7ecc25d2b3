package io.baton.tck.sim.election;

import org.jspecify.annotations.Nullable;

/**
 * How a task of a simulated node goes.
 *
 * @param takesNanos when it ends by itself; {@link #NEVER} if it does not
 * @param heedsNanos how soon it ends once interrupted; {@link #NEVER} if it does not heed that
 * @param thrown what it throws when it ends by itself; null if nothing
 * @param heedThrows whether it throws when it ends because of an interrupt
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

    /** Goes on until it is interrupted. */
    static Course untilInterrupted(long heedsNanos, boolean heedThrows) {
        return new Course(NEVER, heedsNanos, null, heedThrows, () -> {});
    }

    /** Never ends. */
    static Course endless() {
        return untilInterrupted(NEVER, true);
    }

    /** The same, and this has been done by the time it ends by itself. */
    Course with(Runnable what) {
        return new Course(takesNanos, heedsNanos, thrown, heedThrows, what);
    }

    /** Whether it still runs when it has had this long, and this long since it was interrupted then. */
    boolean exceeds(long budgetNanos, long graceNanos) {
        boolean inTime = takesNanos != NEVER && takesNanos < budgetNanos;
        return !inTime && (heedsNanos == NEVER || heedsNanos >= graceNanos);
    }
}
