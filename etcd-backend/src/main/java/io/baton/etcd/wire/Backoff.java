package io.baton.etcd.wire;

import io.baton.spi.Loop;
import java.time.Duration;

/**
 * How long to wait before the next member is tried: not at all until each has been tried once, then longer from round to
 * round, but never so long that a server that is back would go unnoticed.
 */
public final class Backoff {

    private static final long FIRST_MILLIS = 50;
    private static final long MOST_MILLIS = 400;

    private final Loop loop;
    private final int members;
    private final Duration lasting;
    private int failures;

    /** A connection that lasts this long was a good one: the next attempts need not wait. */
    public Backoff(Loop loop, int members, Duration lasting) {
        this.loop = loop;
        this.members = members;
        this.lasting = lasting;
    }

    /** A connection broke that was made at this time of the loop's. */
    public void broken(long connectedAt) {
        if (loop.nanoTime() - connectedAt >= lasting.toNanos()) {
            failures = 0;
        }
    }

    /** The pause after one more failure, with some chance in it, as others fail at the same time. */
    public Duration next() {
        failures++;
        int rounds = Math.min(failures / members, 16);
        if (rounds == 0) {
            return Duration.ZERO;
        }
        long most = Math.min(MOST_MILLIS, FIRST_MILLIS << (rounds - 1));
        return Duration.ofMillis(most / 2 + Math.floorMod(loop.randomLong(), most / 2 + 1));
    }
}
