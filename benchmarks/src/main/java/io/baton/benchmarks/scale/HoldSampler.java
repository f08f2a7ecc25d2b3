package io.baton.benchmarks.scale;

import io.baton.Hold;
import io.baton.HoldState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Samples how long holds are certain to stay valid, as a share of the session's time to live. */
final class HoldSampler {

    /** How often {@link #sample} is to be called. */
    static final long PERIOD_MILLIS = 50;

    /** A client that was reset comes back within about a second; this leaves room for a busy machine. */
    private static final long RECONNECTION_NANOS = 3_000_000_000L;

    private final Duration ttl;
    private final List<Hold> holds = new CopyOnWriteArrayList<>();
    // By hold, while it has not been proven since the cut: the share at the last look.
    private final Map<Hold, Double> unproven = new ConcurrentHashMap<>();
    private volatile long cutOff = System.nanoTime() - RECONNECTION_NANOS;
    private double least = 1;
    private double leastCutOff = 1;

    HoldSampler(Duration ttl) {
        this.ttl = ttl;
    }

    /** These holds are looked at from now on. */
    void add(List<Hold> more) {
        holds.addAll(more);
    }

    /** Looks at all holds. One thread. */
    void sample() {
        for (Hold hold : holds) {
            double share = (double) hold.remaining().toNanos() / ttl.toNanos();
            HoldState state = hold.state();
            if (state == HoldState.RELEASED) {
                unproven.remove(hold);
            } else if (state != HoldState.LOST && isUnproven(hold, share)) {
                leastCutOff = Math.min(leastCutOff, share);
            } else {
                least = Math.min(least, share);
            }
        }
    }

    /** The client is cut off now: what is seen until a hold is proven again is told apart, for a while. */
    void cutOff() {
        cutOff = System.nanoTime();
        holds.forEach(hold -> unproven.put(hold, 1.0));
    }

    private boolean isUnproven(Hold hold, double share) {
        Double before = unproven.get(hold);
        boolean still = before != null && before >= share && System.nanoTime() - cutOff < RECONNECTION_NANOS;
        if (still) {
            unproven.put(hold, share);
        } else {
            unproven.remove(hold);
        }
        return still;
    }

    /** The least share of all samples but those between a cut and the next proof; of the sampling thread. */
    double least() {
        return least;
    }

    /** The least share of the others; of the sampling thread. */
    double leastCutOff() {
        return leastCutOff;
    }

    /** How many of the holds are lost. */
    long lost() {
        return holds.stream().filter(hold -> hold.state() == HoldState.LOST).count();
    }
}
