package io.baton.internal.telemetry;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A warning that comes with each attempt, such as that of refused credentials. Each reason is logged at most once a
 * minute, and at most five reasons a minute.
 */
final class RepeatedWarning {

    private static final Duration PERIOD = Duration.ofMinutes(1);
    private static final int REASONS = 5;

    private final Set<String> told = new HashSet<>();
    private @Nullable Instant begun;
    private long keptBack;

    /** Returns the line to write, if there is to be one. */
    Optional<String> line(String what, String why, Instant at) {
        // A wall clock that was set back begins a new period; otherwise no line is written until it has caught up.
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
