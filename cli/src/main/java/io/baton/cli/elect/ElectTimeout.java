package io.baton.cli.elect;

import java.time.Duration;

/**
 * The user's time limit. It runs from the start of the command on, so that connecting takes its part of it.
 *
 * @param all the whole time
 * @param startedNanos when it began
 */
record ElectTimeout(Duration all, long startedNanos) {

    /** Returns what is left; if that is less than this, this. */
    Duration left(Duration least) {
        Duration left = all.minusNanos(System.nanoTime() - startedNanos);
        return left.compareTo(least) > 0 ? left : least;
    }

    boolean isOver() {
        return left(Duration.ZERO).isZero();
    }
}
