package io.baton.config;

import java.time.Duration;

/**
 * How a listener is told.
 *
 * @param name for logs and warnings
 * @param latestOnly whether a slow listener is told the newest state only, instead of every one in order. In order means: of
 *     up to 1,000 that wait; beyond that they are told at once
 * @param attempts how often a call that throws is tried in all
 * @param pause before the second attempt; doubled for each further one
 * @param slowAfter after how long a call that still runs is warned of
 */
public record ListenerOptions(String name, boolean latestOnly, int attempts, Duration pause, Duration slowAfter) {

    /** In order, three attempts, from 100 ms, warned of after 10 s. */
    public static ListenerOptions named(String name) {
        return new ListenerOptions(name, false, 3, Duration.ofMillis(100), Duration.ofSeconds(10));
    }

    /** The same, told the newest state only. */
    public ListenerOptions latest() {
        return new ListenerOptions(name, true, attempts, pause, slowAfter);
    }

    /** The same with so many attempts, the second one after this pause. */
    public ListenerOptions attempts(int most, Duration firstPause) {
        return new ListenerOptions(name, latestOnly, most, firstPause, slowAfter);
    }

    /** The same, warned of after this long. */
    public ListenerOptions slowAfter(Duration limit) {
        return new ListenerOptions(name, latestOnly, attempts, pause, limit);
    }
}
