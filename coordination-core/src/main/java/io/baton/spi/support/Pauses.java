package io.baton.spi.support;

import io.baton.spi.Loop;
import java.time.Duration;

/** Computes pauses between attempts: each twice as long as the last, up to a limit, with jitter. */
public final class Pauses {

    private Pauses() {}

    /** Returns the pause before this attempt: up to one second, and zero before attempt 0. */
    public static Duration before(int attempt, Loop loop) {
        if (attempt == 0) {
            return Duration.ZERO;
        }
        return half(Math.min(1_000, 10L << Math.min(attempt, 10)), loop);
    }

    /** Returns the pause after this many refusals that only an operator can end: from one second to half a minute. */
    public static Duration afterRefusals(int refusals, Loop loop) {
        return half(Math.min(30_000, 1_000L << Math.min(refusals, 5)), loop);
    }

    /** Returns a random pause between half of this and all of it. */
    private static Duration half(long millis, Loop loop) {
        return Duration.ofMillis(millis / 2 + Math.floorMod(loop.randomLong(), millis / 2));
    }
}
