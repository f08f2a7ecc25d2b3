package io.baton.chaos.nemesis;

import java.time.Duration;
import java.util.Random;

/** By how much wall clocks are moved. */
final class WallJumps {

    private WallJumps() {}

    /** By less than a session's life, or by hours; ahead or back. */
    static Duration any(Spans spans, Random random) {
        Duration off = random.nextBoolean() ? spans.between(0.1, 3) : Duration.ofMinutes(30 + random.nextInt(600));
        return random.nextBoolean() ? off : off.negated();
    }
}
