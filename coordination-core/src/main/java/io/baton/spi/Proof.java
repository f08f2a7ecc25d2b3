package io.baton.spi;

/**
 * Evidence that a session is alive: until {@code deadlineNanos} the store drops none of its entries.
 *
 * <p>The clocks are read when the request that the evidence rests on was <em>sent</em>. If the wall clock has since
 * gained more than the margin on the monotonic one (a suspended machine), the deadline is that much earlier. A wall
 * clock that falls back changes nothing.
 *
 * @param sentNanos monotonic clock at the send
 * @param sentWallMillis wall clock at the send
 * @param deadlineNanos monotonic time up to which the session is proven
 * @param marginNanos how far the wall clock may gain before it counts
 */
public record Proof(long sentNanos, long sentWallMillis, long deadlineNanos, long marginNanos) {

    /** Returns the nanoseconds left on the monotonic clock alone; negative once past. */
    public long remainingNanos(long nowNanos) {
        return deadlineNanos - nowNanos;
    }

    /** Returns whether the wall clock has gained more than the margin, as after a suspension of the machine. */
    public boolean doubtful(long nowNanos, long nowWallMillis) {
        return gained(nowNanos, nowWallMillis) > marginNanos;
    }

    /** Returns the nanoseconds left by the more careful of the two clocks; negative once past. */
    public long carefulRemainingNanos(long nowNanos, long nowWallMillis) {
        long gained = gained(nowNanos, nowWallMillis);
        return remainingNanos(nowNanos) - (gained > marginNanos ? gained : 0);
    }

    /** Returns whether this proof has a later deadline than the other. */
    public boolean betterThan(Proof other) {
        return deadlineNanos - other.deadlineNanos > 0;
    }

    private long gained(long nowNanos, long nowWallMillis) {
        return (nowWallMillis - sentWallMillis) * 1_000_000L - (nowNanos - sentNanos);
    }
}
