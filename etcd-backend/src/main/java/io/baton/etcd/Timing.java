package io.baton.etcd;

import io.baton.spi.SessionSpec;
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

    /** The shortest time to live that works; servers grant more, by their election timeout. */
    static final Duration LEAST = Duration.ofSeconds(1);

    private static final long FIXED_MARGIN = Duration.ofMillis(50).toNanos();
    private static final long MOST_PATIENCE = Duration.ofSeconds(5).toNanos();

    /**
     * The timing for what is asked of a session.
     *
     * @throws IllegalArgumentException if the servers could only grant more, and that is not to be; the message says why
     */
    static Timing of(SessionSpec spec) {
        if (spec.strict() && !wholeSeconds(spec.ttl()).equals(spec.ttl())) {
            throw new IllegalArgumentException("a strict ttl of " + spec.ttl().toMillis()
                    + " ms cannot work on etcd: a lease lives for whole seconds, and for 2 s at least on a server as it"
                    + " comes. Ask for 2s or more, in whole seconds, or do without strictTtl");
        }
        return of(spec.ttlRaisedTo(LEAST));
    }

    /** The timing for this time to live, of a second or more. */
    static Timing of(Duration ttl) {
        long nanos = ttl.toNanos();
        long quarter = nanos / 4;
        return new Timing(nanos, FIXED_MARGIN + nanos / 100, quarter, Math.min(quarter, MOST_PATIENCE));
    }

    /** What can be asked of a server: whole seconds. */
    static Duration wholeSeconds(Duration ttl) {
        return Duration.ofSeconds(ttl.plusNanos(999_999_999).toSeconds());
    }
}
