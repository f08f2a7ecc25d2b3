package io.baton.chaos.check;

/**
 * A fail-over to a standby that may not have had the newest writes of the former server.
 *
 * @param safe what was acknowledged before this moment is there
 * @param gone from this moment on nothing was applied by the former server
 */
record LossWindow(long safe, long gone) {

    /** Whether something may have been applied by the former server and be lost, if it was under way between these. */
    boolean mayHaveLost(long began, long ended) {
        return began < gone && ended > safe;
    }
}
