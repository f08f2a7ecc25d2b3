package io.baton.spi.support;

import io.baton.spi.Loop;
import java.time.Duration;

/** How long to pause before another attempt: twice as long each time, up to a second, with some chance in it. */
public final class Pauses {

    private Pauses() {}

    /** The pause before this attempt; none before attempt 0. */
    public static Duration before(int attempt, Loop loop) {
        if (attempt == 0) {
            return Duration.ZERO;
        }
        long most = Math.min(1_000, 10L << Math.min(attempt, 10));
        return Duration.ofMillis(most / 2 + Math.floorMod(loop.randomLong(), most / 2));
    }
}
