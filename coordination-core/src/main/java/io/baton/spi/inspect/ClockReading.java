package io.baton.spi.inspect;

import io.baton.spi.support.DurationText;
import java.time.Duration;

/**
 * A server's wall clock compared with that of this machine.
 *
 * @param of the server's name, for people
 * @param ahead how far it is ahead of this machine's clock; negative if it is behind
 * @param within the possible error of the reading, either way
 */
public record ClockReading(String of, Duration ahead, Duration within) {

    private static final Duration FAR = Duration.ofSeconds(10);

    /** Returns a warning if the clocks are certain to differ by more than 10 s, and otherwise that all is well. */
    public Finding finding() {
        return ahead.abs().minus(within).compareTo(FAR) > 0
                ? Finding.warning(
                        "clock",
                        this + ": no hold depends on it, but times in listings, logs and canaries do",
                        "keep clocks with NTP")
                : Finding.ok("clock", toString());
    }

    @Override
    public String toString() {
        return "the clock of " + of + " is " + DurationText.of(ahead.abs()) + " "
                + (ahead.isNegative() ? "behind" : "ahead of") + " this machine's, give or take "
                + DurationText.of(within);
    }
}
