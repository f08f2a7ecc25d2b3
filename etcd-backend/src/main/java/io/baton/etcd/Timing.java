package io.baton.etcd;

import io.baton.spi.SessionSpec;
import java.time.Duration;

/**
 * The intervals of a session's requests. A healthy hold never shows less than half its time to live, and a silent
 * member can be replaced in time.
 *
 * @param ttl the lease's time to live, nanoseconds
 * @param margin subtracted from every deadline: a fixed part, and 1 % for clock drift; nanoseconds
 * @param beat time from one renewal of the lease to the next; nanoseconds
 * @param patience how long a request may take; nanoseconds
 */
record Timing(long ttl, long margin, long beat, long patience) {

    /** The shortest time to live that can work. Servers grant more, depending on their election timeout. */
    static final Duration LEAST = Duration.ofSeconds(1);

    private static final long FIXED_MARGIN = Duration.ofMillis(50).toNanos();
    private static final long MOST_PATIENCE = Duration.ofSeconds(5).toNanos();

    /**
     * Returns the timing for this session's settings.
     *
     * @throws IllegalArgumentException if servers could grant only more than a strict time to live; the message says
     *     why
     */
    static Timing of(SessionSpec spec) {
        if (spec.strict() && !wholeSeconds(spec.ttl()).equals(spec.ttl())) {
            throw new IllegalArgumentException("a strict ttl of " + spec.ttl().toMillis()
                    + " ms cannot work on etcd: a lease lives for whole seconds, and for 2 s at least on a server as it"
                    + " comes. Ask for 2s or more, in whole seconds, or do without strictTtl");
        }
        return of(spec.ttlRaisedTo(LEAST));
    }

    /** Returns the timing for this time to live of at least a second. */
    static Timing of(Duration ttl) {
        long nanos = ttl.toNanos();
        long quarter = nanos / 4;
        return new Timing(nanos, FIXED_MARGIN + nanos / 100, quarter, Math.min(quarter, MOST_PATIENCE));
    }

    /** Rounds up to whole seconds, as a lease requires. */
    static Duration wholeSeconds(Duration ttl) {
        return Duration.ofSeconds(ttl.plusNanos(999_999_999).toSeconds());
    }
}
