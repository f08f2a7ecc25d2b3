package io.baton.tck;

import java.time.Duration;
import org.awaitility.Awaitility;

/**
 * Samples the remaining time of a session every few milliseconds. Late samples show how long this machine itself stood
 * still, which no store can prevent.
 */
final class ProofWatch {

    private final TckClient client;
    private long least = Long.MAX_VALUE;
    private long worstGap;
    private long last = System.nanoTime();

    private ProofWatch(TckClient client) {
        this.client = client;
    }

    static ProofWatch over(Duration time, TckClient client) {
        ProofWatch watch = new ProofWatch(client);
        Awaitility.await()
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .during(time)
                .atMost(time.plus(Chapter.PATIENCE))
                .until(watch::sample);
        return watch;
    }

    Duration least() {
        return Duration.ofNanos(least);
    }

    Duration worstStall() {
        return Duration.ofNanos(worstGap);
    }

    private boolean sample() {
        long now = System.nanoTime();
        worstGap = Math.max(worstGap, now - last);
        last = now;
        least = Math.min(least, client.nanosLeft(now));
        return true;
    }
}
