package io.baton.internal.lock;

import io.baton.recipe.ClientLoop;
import java.time.Duration;

/**
 * How often the first waiters of a coordinator's semaphores read their sizes: each one every second or two, and all of
 * them together some {@value #MOST_A_SECOND} times a second at most. On the loop.
 */
final class SizePace {

    static final int MOST_A_SECOND = 500;

    private static final long MILLIS = 1_000;

    private final ClientLoop loop;
    private int waiting;

    SizePace(ClientLoop loop) {
        this.loop = loop;
    }

    /** One more waits at the head of its queue. */
    void begin() {
        waiting++;
    }

    /** One of them no longer does. */
    void end() {
        waiting--;
    }

    /** Returns how long one of them pauses between two readings. */
    Duration pause() {
        long least = MILLIS * Math.max(1, waiting / MOST_A_SECOND);
        return Duration.ofMillis(least + Math.floorMod(loop.raw().randomLong(), least));
    }
}
