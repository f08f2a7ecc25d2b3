package io.baton.recipe;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Lets at most so many lines of one kind into a log within a period, and counts the others. Any thread. */
public final class LogLimit {

    private final int most;
    private final Duration period;
    private @Nullable Instant begun;
    private int written;
    private long keptBack;

    /** At most this many within each period. */
    public LogLimit(int most, Duration period) {
        this.most = most;
        this.period = period;
    }

    /** How many lines were kept back since the last one that was not; empty if this one is to be kept back, too. */
    public synchronized OptionalLong admit(Instant at) {
        // A wall clock that was set back begins a new period; else it would be silent until the clock has caught up.
        if (begun == null || at.isBefore(begun) || !at.isBefore(begun.plus(period))) {
            begun = at;
            written = 0;
        }
        if (written == most) {
            keptBack++;
            return OptionalLong.empty();
        }
        written++;
        long since = keptBack;
        keptBack = 0;
        return OptionalLong.of(since);
    }
}
