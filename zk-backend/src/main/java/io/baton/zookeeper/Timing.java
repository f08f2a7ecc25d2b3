package io.baton.zookeeper;

import java.time.Duration;
import java.util.Optional;

/**
 * The intervals of a session's requests, chosen so that a healthy hold never shows less than half its timeout.
 *
 * <p>A beat proves the newest request acknowledged a tick before it was sent. Let beats be {@code p} apart, and
 * {@code k = ceil(tick / p)}. Then the request proven by one beat is at most {@code (k + 1) p} old when the next beat
 * is acknowledged. That age, the margin and some slack for the round trip must fit into half the timeout.
 *
 * <p>The beat is an eighth of the timeout, but at most 5 s. If a commit can prove something new only after a longer
 * time, the beat is that long. The rest of the time is spare for late beats. The slack is a twentieth of the timeout,
 * at most 2.5 s, or as little as works.
 *
 * @param timeout session timeout, nanoseconds
 * @param tick the server's tickTime, nanoseconds
 * @param margin subtracted from every deadline: a fixed part, and 1 % for clock drift; nanoseconds
 * @param beat time from one quorum commit to the next while holding or next in line; nanoseconds
 * @param idle time from one request to the next otherwise; nanoseconds
 * @param old the age at which a proof must be replaced to keep a hold above half its timeout; nanoseconds
 */
record Timing(long timeout, long tick, long margin, long beat, long idle, long old) {

    private static final long FIXED_MARGIN = Duration.ofMillis(50).toNanos();
    private static final long LEAST_SLACK = Duration.ofMillis(20).toNanos();
    private static final long MOST_SLACK = Duration.ofMillis(2_500).toNanos();

    /** Bounds how late a removed entry is noticed, however long the timeout. */
    private static final long LONGEST_BEAT = Duration.ofSeconds(5).toNanos();

    private static final int MOST_BEATS_PER_TICK = 8;

    /**
     * Returns the timing for this session timeout.
     *
     * @throws IllegalArgumentException if no timing can work; the message says why, and which timeout would
     */
    static Timing of(Duration timeout, Duration tick) {
        long tickNanos = tick.toNanos();
        return fitting(timeout.toNanos(), tickNanos)
                .orElseThrow(() -> new IllegalArgumentException("a session timeout of " + timeout.toMillis()
                        + " ms cannot work with a server tick of " + tick.toMillis() + " ms: it takes at least "
                        + least(tickNanos)
                        + " ms, so that a hold can be proven alive in time. Ask for more, or state the"
                        + " server's tickTime in the URI (as ?tick=500ms) if it is smaller"));
    }

    /** Returns the shortest session timeout with which a hold can be proven alive in time. */
    static Duration least(Duration tick) {
        return Duration.ofMillis(least(tick.toNanos()));
    }

    private static Optional<Timing> fitting(long timeout, long tick) {
        long least = Math.max(Math.max(tick / 16, Math.min(timeout / 50, MOST_SLACK)), LEAST_SLACK);
        long usual = Math.min(timeout / 20, MOST_SLACK);
        return fitting(timeout, tick, Math.max(least, usual)).or(() -> fitting(timeout, tick, least));
    }

    /** {@code slack} allows for the round trip and for a busy machine. */
    private static Optional<Timing> fitting(long timeout, long tick, long slack) {
        long margin = FIXED_MARGIN + timeout / 100;
        long half = timeout / 2 - margin;
        long span = tick + slack;
        long idle = Math.min(timeout / 4, half - span - slack);
        long old = half - slack;
        if (old / 2 >= span) {
            long beat = Math.min(old / 2, Math.max(span, Math.min(timeout / 8, LONGEST_BEAT)));
            return Optional.of(new Timing(timeout, tick, margin, beat, idle, old));
        }
        for (int k = 2; k <= MOST_BEATS_PER_TICK; k++) {
            if ((k + 1) * (span / k) <= old) {
                return Optional.of(new Timing(timeout, tick, margin, span / k, idle, old));
            }
        }
        return Optional.empty();
    }

    private static long least(long tick) {
        long millis = Duration.ofNanos(tick).toMillis();
        while (fitting(Duration.ofMillis(millis).toNanos(), tick).isEmpty()) {
            millis++;
        }
        return millis;
    }
}
