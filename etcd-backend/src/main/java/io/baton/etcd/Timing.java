package io.baton.etcd;

import java.time.Duration;

/**
 * How often a session has to speak up so that a healthy hold never shows less than half its time to live, and one member
 * that falls silent can be left for another in time.
 *
 * @param ttl the lease's time to live, nanoseconds
 * @param margin taken off every deadline: fixed, and 1 % for clocks that run at different rates; nanoseconds
 * @param beat time from one renewal of the lease to the next; nanoseconds
 * @param patience how long a request may take; nanoseconds
 */
record Timing(long ttl, long margin, long beat, long patience) {

    private static final Duration LEAST = Duration.ofSeconds(1);
    private static final long FIXED_MARGIN = Duration.ofMillis(50).toNanos();
    private static final long MOST_PATIENCE = Duration.ofSeconds(5).toNanos();

    /**
     * The timing for this time to live.
     *
     * @throws IllegalArgumentException if none can work; the message says why and what would
     */
    static Timing of(Duration ttl) {
        if (ttl.compareTo(LEAST) < 0) {
            throw new IllegalArgumentException(
                    "a session timeout of " + ttl.toMillis() + " ms cannot work on etcd: a lease"
                            + " lives for whole seconds, and for 2 s at least on a server as it comes. Ask for 2s or more");
        }
        long nanos = ttl.toNanos();
        long quarter = nanos / 4;
        return new Timing(nanos, FIXED_MARGIN + nanos / 100, quarter, Math.min(quarter, MOST_PATIENCE));
    }

    /** What can be asked of a server: whole seconds. */
    static Duration wholeSeconds(Duration ttl) {
        return Duration.ofSeconds(ttl.plusNanos(999_999_999).toSeconds());
    }
}
