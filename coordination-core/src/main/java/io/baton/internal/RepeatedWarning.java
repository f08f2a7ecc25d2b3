package io.baton.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** A warning for the log that comes with each attempt, as of refused credentials: a new reason at once, the same now and then. */
final class RepeatedWarning {

    private static final Duration PERIOD = Duration.ofMinutes(1);

    private String last = "";
    private LogLimit limit = new LogLimit(1, PERIOD);

    /** The line to write, if there is to be one. */
    Optional<String> line(String what, String why, Instant at) {
        if (!why.equals(last)) {
            last = why;
            limit = new LogLimit(1, PERIOD);
        }
        OptionalLong keptBack = limit.admit(at);
        if (keptBack.isEmpty()) {
            return Optional.empty();
        }
        long more = keptBack.getAsLong();
        return Optional.of(what + ": " + why + (more == 0 ? "" : " (and " + more + " times before)"));
    }

    /** All is well: whatever comes next is news. */
    void reset() {
        last = "";
    }
}
