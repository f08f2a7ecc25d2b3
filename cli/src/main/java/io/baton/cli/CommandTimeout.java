package io.baton.cli;

import java.time.Duration;

/**
 * The user's time limit. It runs from the start of the command on, so that connecting takes its part of it.
 *
 * @param all the whole time
 * @param startedNanos when it began
 */
public record CommandTimeout(Duration all, long startedNanos) {

    /** Begins now. */
    public static CommandTimeout of(Duration all) {
        return new CommandTimeout(all, System.nanoTime());
    }

    /** Returns what is left; if that is less than this, this. */
    public Duration left(Duration least) {
        Duration left = all.minusNanos(System.nanoTime() - startedNanos);
        return left.compareTo(least) > 0 ? left : least;
    }

    public boolean isOver() {
        return left(Duration.ZERO).isZero();
    }
}
