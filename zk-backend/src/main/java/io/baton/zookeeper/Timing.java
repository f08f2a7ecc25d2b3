package io.baton.zookeeper;

import java.time.Duration;
import java.util.Optional;

/**
 * How often a session has to speak up so that a healthy hold never shows less than half its timeout.
 *
 * <p>A beat proves the newest request acknowledged a tick before it was sent. With beats every {@code p} and
 * {@code k = ceil(tick / p)}, the request proven by one beat is at most {@code (k + 1) p} old when the next beat is
 * acknowledged; that, the margin and some slack for the way there and back must fit into half the timeout. There
 * is a beat every eighth of the timeout and every 5 s, or whenever a commit proves something new if that is longer; the rest of the time
 * beats may be late. The slack is a twentieth of the timeout but 2.5 s at most, or as little as works.
 *
 * @param timeout session timeout, nanoseconds
 * @param tick the server's tickTime, nanoseconds
 * @param margin taken off every deadline: fixed, and 1 % for clocks that run at different rates; nanoseconds
 * @param beat time from one quorum commit to the next while holding or next in line; nanoseconds
 * @param idle time from one request to the next otherwise; nanoseconds
 * @param old the age at which a proof has to be replaced for a hold not to fall below half its timeout; nanoseconds
 */
record Timing(long timeout, long tick, long margin, long beat, long idle, long old) {

    private static final long FIXED_MARGIN = Duration.ofMillis(50).toNanos();
    private static final long LEAST_SLACK = Duration.ofMillis(20).toNanos();
    private static final long MOST_SLACK = Duration.ofMillis(2_500).toNanos();

    /** So late an entry that somebody has removed is noticed, however long the timeout. */
    private static final long LONGEST_BEAT = Duration.ofSeconds(5).toNanos();

    private static final int MOST_BEATS_PER_TICK = 8;

    /**
     * The timing for this session timeout.
     *
     * @throws IllegalArgumentException if none can work; the message says why and what would
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

    /** The shortest session timeout with which a hold can be proven alive in time. */
    static Duration least(Duration tick) {
        return Duration.ofMillis(least(tick.toNanos()));
    }

    private static Optional<Timing> fitting(long timeout, long tick) {
        long least = Math.max(Math.max(tick / 16, Math.min(timeout / 50, MOST_SLACK)), LEAST_SLACK);
        long usual = Math.min(timeout / 20, MOST_SLACK);
        return fitting(timeout, tick, Math.max(least, usual)).or(() -> fitting(timeout, tick, least));
    }

    /** With this room for the way there and back, and for a machine that is busy with other things. */
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
