package io.baton.spi.support;

import java.time.Duration;

/**
 * Limits the unanswered requests of a session, by how long answers take. Without a limit, many sessions could make a
 * server's queue so long that no heartbeat passes through it in time. No session can prevent that by ordering its own
 * requests, so each session sends less while its requests have to wait.
 *
 * <p>This is congestion avoidance by delay, as in TCP (Brakmo and Peterson, TCP Vegas, 1995). The wait is an answer's
 * time minus the fastest time of its kind on this connection. The limit starts small and grows by one with each answer,
 * so it doubles per round trip. After the first long wait it grows by one per round trip. A long wait halves it, once
 * per round trip (Jacobson, 1988). The limit grows only while it holds requests back, and starts again after a pause.
 * Not thread-safe.
 */
public final class AdaptiveLimit {

    /** Requests that take about the same time when none has to wait. */
    public enum Kind {
        /** A server answers without writing. */
        READ,
        /** A quorum writes to disk. */
        COMMIT
    }

    /**
     * The session timeout divided by this is a long wait. A proof takes a few answers in sequence, and must be there
     * long before half of the timeout has passed.
     */
    private static final int WAITS_PER_TIMEOUT = 60;

    /** A shorter wait may be a pause of this process or of a disk. */
    private static final Duration LEAST_WAIT = Duration.ofMillis(50);

    /** A longer wait is close to the time limit of requests. */
    private static final Duration MOST_WAIT = Duration.ofSeconds(1);

    private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    private static final int START = 4;

    private final int start;
    private final int least;
    private final int most;
    private final long longWait;
    private long quickestRead = Long.MAX_VALUE;
    private long quickestCommit = Long.MAX_VALUE;
    private double limit;
    private boolean doubling = true;
    private long lastAnswer;
    // When the limit was last halved. The wait of a request sent before then says nothing about the present limit.
    private boolean halved;
    private long halvedAt;

    private AdaptiveLimit(int start, int least, int most, Duration longWait) {
        this.start = start;
        this.least = least;
        this.most = most;
        this.longWait = longWait.toNanos();
        this.limit = start;
    }

    /**
     * Returns the limit of one session.
     *
     * @param least the smallest limit
     * @param most the largest limit; if it is less than the smallest, the limit is fixed
     * @param timeout the session's timeout. A longer wait than a sixtieth of it makes the limit smaller; that part is
     *     at least 50 ms and at most 1 s
     */
    public static AdaptiveLimit between(int least, int most, Duration timeout) {
        Duration part = timeout.dividedBy(WAITS_PER_TIMEOUT);
        Duration wait = part.compareTo(LEAST_WAIT) < 0 ? LEAST_WAIT : part;
        return new AdaptiveLimit(
                Math.min(Math.max(START, least), most),
                Math.min(least, most),
                most,
                wait.compareTo(MOST_WAIT) > 0 ? MOST_WAIT : wait);
    }

    /** Returns a limit that never changes. */
    public static AdaptiveLimit fixed(int limit) {
        return new AdaptiveLimit(limit, limit, limit, MOST_WAIT);
    }

    /** Returns how many requests may be unanswered now, at least one. */
    public int current() {
        return (int) limit;
    }

    /** A new connection is in use, perhaps to another server. */
    public void connected() {
        quickestRead = Long.MAX_VALUE;
        quickestCommit = Long.MAX_VALUE;
        halved = false;
        reset();
    }

    /** A request is about to be sent while none is unanswered. */
    public void resumed(long nowNanos) {
        if (nowNanos - lastAnswer > PAUSE_NANOS) {
            reset();
        }
    }

    /**
     * A request was answered.
     *
     * @param kind its kind
     * @param sentNanos monotonic clock when it was sent
     * @param nowNanos the same clock now
     * @param full whether other requests wait because of the limit
     */
    public void answered(Kind kind, long sentNanos, long nowNanos, boolean full) {
        lastAnswer = nowNanos;
        long took = nowNanos - sentNanos;
        if (took - quickest(kind, took) > longWait) {
            overloaded(sentNanos, nowNanos);
        } else if (full) {
            limit = Math.min(most, limit + (doubling ? 1 : 1 / limit));
        }
    }

    /** A request was refused, waited long or was not answered, because the server is overloaded. */
    public void overloaded(long sentNanos, long nowNanos) {
        lastAnswer = nowNanos;
        if (!halved || sentNanos - halvedAt >= 0) {
            limit = Math.max(least, limit / 2);
            doubling = false;
            halved = true;
            halvedAt = nowNanos;
        }
    }

    private long quickest(Kind kind, long took) {
        if (kind == Kind.READ) {
            quickestRead = Math.min(quickestRead, took);
            return quickestRead;
        }
        quickestCommit = Math.min(quickestCommit, took);
        return quickestCommit;
    }

    private void reset() {
        limit = start;
        doubling = true;
    }
}
