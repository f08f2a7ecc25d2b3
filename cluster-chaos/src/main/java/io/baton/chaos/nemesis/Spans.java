package io.baton.chaos.nemesis;

import java.time.Duration;
import java.util.Random;

/** How long faults last, measured by the sessions' time to live. */
final class Spans {

    private final Duration ttl;
    private final Random random;

    Spans(Duration ttl, Random random) {
        this.ttl = ttl;
        this.random = random;
    }

    /** Shorter or longer than sessions live, as it comes. */
    Duration any() {
        return random.nextBoolean() ? between(0.1, 0.9) : between(1.1, 2.2);
    }

    /** Somewhere between these parts of the time to live. */
    Duration between(double least, double most) {
        return Duration.ofNanos((long) (ttl.toNanos() * (least + random.nextDouble() * (most - least))));
    }
}
