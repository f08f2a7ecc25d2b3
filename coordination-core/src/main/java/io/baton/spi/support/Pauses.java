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
        return half(Math.min(1_000, 10L << Math.min(attempt, 10)), loop);
    }

    /** The pause after so many refusals of what somebody has to allow first: from a second to half a minute. */
    public static Duration afterRefusals(int refusals, Loop loop) {
        return half(Math.min(30_000, 1_000L << Math.min(refusals, 5)), loop);
    }

    /** Between half of it and all of it. */
    private static Duration half(long millis, Loop loop) {
        return Duration.ofMillis(millis / 2 + Math.floorMod(loop.randomLong(), millis / 2));
    }
}
