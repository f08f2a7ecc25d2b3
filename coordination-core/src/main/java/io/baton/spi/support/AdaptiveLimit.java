package io.baton.spi.support;

import java.time.Duration;

/**
 * How many requests a session may have unanswered, found out by how long answers take. Many sessions that each send as much
 * as they may would make a server's queue so long that no heartbeat passes through it in time, however well each of them
 * arranges its own requests. So each sends less while its requests have to wait.
 *
 * <p>Congestion avoidance as TCP does it, by delay: the wait is an answer's time less the quickest one's of its kind on this
 * connection (Brakmo and Peterson, TCP Vegas, 1995). The limit starts small and grows by one with each answer, so it doubles
 * per round trip; after the first long wait it grows by one per round trip. A long wait halves it, once per round trip
 * (Jacobson, 1988). It grows only while it is what keeps requests back, and starts again after a pause. Not for several
 * threads.
 */
public final class AdaptiveLimit {

    /** Requests that take about the same time where none has to wait. */
    public enum Kind {
        /** What a server answers without writing. */
        READ,
        /** What a quorum writes to disk. */
        COMMIT
    }

    /**
     * A long wait, as a part of the session timeout: a proof takes a few answers one after the other, and is to be there
     * long before half of the timeout has passed.
     */
    private static final int WAITS_PER_TIMEOUT = 60;

    /** Less than this may be a pause of this process, or of a disk. */
    private static final Duration LEAST_WAIT = Duration.ofMillis(50);

    /** More than this is close to where requests are given up. */
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
    // When it was halved: what was sent before then says nothing about the present limit.
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
     * For one session.
     *
     * @param least the smallest limit
     * @param most the largest limit; if it is less than the smallest, the limit is fixed
     * @param timeout the session's; a request that has waited for a sixtieth of it makes the limit smaller
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

    /** Always this many. */
    public static AdaptiveLimit fixed(int limit) {
        return new AdaptiveLimit(limit, limit, limit, MOST_WAIT);
    }

    /** How many requests may be unanswered now, at least one. */
    public int current() {
        return (int) limit;
    }

    /** There is another connection, perhaps to another server. */
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
     * @param kind what it was
     * @param sentNanos monotonic clock when it was sent
     * @param nowNanos the same clock now
     * @param full whether others wait as so many are unanswered
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

    /** A request was refused, waited long or was not answered, as the server has too much to do. */
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
