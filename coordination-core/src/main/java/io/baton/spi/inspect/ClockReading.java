package io.baton.spi.inspect;

import io.baton.spi.support.DurationText;
import java.time.Duration;

/**
 * What a server's wall clock showed beside that of this machine.
 *
 * @param of which server, for people
 * @param ahead how far it is ahead of this machine's; negative if it is behind
 * @param within the reading may be wrong by so much either way
 */
public record ClockReading(String of, Duration ahead, Duration within) {

    private static final Duration FAR = Duration.ofSeconds(10);

    /** Whether that is a reason to do something about it. */
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
