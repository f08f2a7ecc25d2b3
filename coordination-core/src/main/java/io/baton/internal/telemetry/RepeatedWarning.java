package io.baton.internal.telemetry;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A warning for the log that comes with each attempt, as of refused credentials: a new reason at once, unless they change
 * all the time, the same now and then.
 */
final class RepeatedWarning {

    private static final Duration PERIOD = Duration.ofMinutes(1);
    private static final int REASONS = 5;

    private final Set<String> told = new HashSet<>();
    private @Nullable Instant begun;
    private long keptBack;

    /** The line to write, if there is to be one. */
    Optional<String> line(String what, String why, Instant at) {
        // A wall clock that was set back begins a new period; else it would be silent until the clock has caught up.
        if (begun == null || at.isBefore(begun) || !at.isBefore(begun.plus(PERIOD))) {
            begun = at;
            told.clear();
        }
        if (told.size() == REASONS || !told.add(why)) {
            keptBack++;
            return Optional.empty();
        }
        long before = keptBack;
        keptBack = 0;
        return Optional.of(what + ": " + why + (before == 0 ? "" : " (and " + before + " times before)"));
    }
}
