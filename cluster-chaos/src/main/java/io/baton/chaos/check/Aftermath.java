package io.baton.chaos.check;

import java.time.Duration;
import java.util.stream.Stream;

/** For how long a fault may show: until all was well again, and somewhat longer. */
final class Aftermath {

    /** What ended before all was well is noticed by its holder somewhat later. */
    private static final int NOTICED_TIMES_TTL = 2;

    private final RunHistory history;
    private final Duration afterwards;

    /** {@code ttl} is that of the sessions. */
    Aftermath(RunHistory history, Duration ttl) {
        this.history = history;
        this.afterwards = ttl.multipliedBy(NOTICED_TIMES_TTL);
    }

    /** The faults that may have shown between these two moments. */
    Stream<Disturbance> between(long from, long to) {
        return history.disturbances().stream().filter(fault -> fault.at() <= to && from <= over(fault));
    }

    private long over(Disturbance fault) {
        return history.healings().stream()
                .filter(healed -> healed > fault.at())
                .findFirst()
                .map(healed -> healed + afterwards.toNanos())
                .orElse(Long.MAX_VALUE);
    }
}
