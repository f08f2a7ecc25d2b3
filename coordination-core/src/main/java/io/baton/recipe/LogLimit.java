package io.baton.recipe;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Limits the log lines of one kind within a period, and counts those that are left out. Any thread. */
public final class LogLimit {

    private final int most;
    private final Duration period;
    private @Nullable Instant begun;
    private int written;
    private long keptBack;

    /** Creates a limit of this many lines within each period. */
    public LogLimit(int most, Duration period) {
        this.most = most;
        this.period = period;
    }

    /** Returns the number of lines left out since the last admitted one; empty if this line is to be left out, too. */
    public synchronized OptionalLong admit(Instant at) {
        // A wall clock that was set back begins a new period; otherwise lines would be left out until it has caught up.
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
