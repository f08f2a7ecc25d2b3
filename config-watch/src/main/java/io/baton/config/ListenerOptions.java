package io.baton.config;

import java.time.Duration;

/**
 * How a listener is called.
 *
 * @param name for logs and warnings
 * @param latestOnly whether a slow listener gets only the newest state, instead of each one in order. At most 1,000
 *     wait in order; beyond that they are merged into one call
 * @param attempts how often a call that throws is attempted in all
 * @param pause the pause before the second attempt; doubled for each further one
 * @param slowAfter the running time of a call after which a warning follows
 */
public record ListenerOptions(String name, boolean latestOnly, int attempts, Duration pause, Duration slowAfter) {

    /** Calls in order, with three attempts from 100 ms, and a warning after 10 s. */
    public static ListenerOptions named(String name) {
        return new ListenerOptions(name, false, 3, Duration.ofMillis(100), Duration.ofSeconds(10));
    }

    /** The same, but only with the newest state. */
    public ListenerOptions latest() {
        return new ListenerOptions(name, true, attempts, pause, slowAfter);
    }

    /** The same with this many attempts, and this pause before the second one. */
    public ListenerOptions attempts(int most, Duration firstPause) {
        return new ListenerOptions(name, latestOnly, most, firstPause, slowAfter);
    }

    /** The same with a warning after this long. */
    public ListenerOptions slowAfter(Duration limit) {
        return new ListenerOptions(name, latestOnly, attempts, pause, limit);
    }
}
