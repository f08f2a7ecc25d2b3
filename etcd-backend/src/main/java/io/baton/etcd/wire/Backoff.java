package io.baton.etcd.wire;

import io.baton.spi.Loop;
import java.time.Duration;

/**
 * The pause before the next member is tried. There is none until each member has been tried once. Then it grows from
 * round to round, up to 400 ms, so that a recovered server is noticed soon.
 */
public final class Backoff {

    private static final long FIRST_MILLIS = 50;
    private static final long MOST_MILLIS = 400;

    private final Loop loop;
    private final int members;
    private final Duration lasting;
    private int failures;

    /**
     * {@code lasting} is how long a connection must last to count as good. After a good one, the pauses start again.
     */
    public Backoff(Loop loop, int members, Duration lasting) {
        this.loop = loop;
        this.members = members;
        this.lasting = lasting;
    }

    /** Records that a connection broke that was made at this time of the loop. */
    public void broken(long connectedAt) {
        if (loop.nanoTime() - connectedAt >= lasting.toNanos()) {
            failures = 0;
        }
    }

    /** Returns the pause after one more failure. It is jittered, as other clients fail at the same time. */
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
