package io.baton.config.values;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses durations: {@code 250ms}, {@code 5s}, {@code 2m}, {@code 1h}, {@code 1d}, or ISO 8601. */
final class Durations {

    static final String EXPECTED = "a duration as 250ms, 5s, 2m, 1h, 1d or PT5S";

    private static final Pattern SHORT = Pattern.compile("(\\d{1,18})\\s*(ms|s|m|h|d)");

    private Durations() {}

    /** Throws if the text is not a duration, or is out of range. */
    static Duration parse(String text) {
        Matcher matcher = SHORT.matcher(text);
        if (!matcher.matches()) {
            return Duration.parse(text);
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }
}
