package io.baton.benchmarks.scale;

import java.time.Duration;

/** Within which a case has to be done; reports progress on the way. */
final class TimeLimit {

    private static final long POLL_MILLIS = 20;
    private static final long REPORT_NANOS = 5_000_000_000L;

    private final String what;
    private final long start = System.nanoTime();
    private final long nanos;
    private long reported = start;

    TimeLimit(String what, Duration limit) {
        this.what = what;
        this.nanos = limit.toNanos();
    }

    /**
     * Waits for a condition.
     *
     * @return false if the time is over, or it will never be met
     */
    boolean await(Condition condition) throws Exception {
        return await(condition, Duration.ofDays(1));
    }

    /**
     * Waits for a condition, but for no longer than this.
     *
     * @return false if the time is over, or it will never be met
     */
    boolean await(Condition condition, Duration most) throws Exception {
        long from = System.nanoTime();
        while (!condition.isMet()) {
            long now = System.nanoTime();
            if (now - start > nanos || now - from > most.toNanos() || condition.isHopeless()) {
                return false;
            }
            if (now - reported > REPORT_NANOS) {
                reported = now;
                System.err.println(
                        what + ": " + Duration.ofNanos(now - start).toSeconds() + " s, " + condition.state());
            }
            Thread.sleep(POLL_MILLIS);
        }
        return true;
    }

    /** What is waited for. */
    interface Condition {

        boolean isMet() throws Exception;

        /** Whether it will never be met. */
        boolean isHopeless();

        /** How far it is, for people. */
        String state() throws Exception;
    }
}
