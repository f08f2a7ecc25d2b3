package io.baton.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses durations such as {@code 500ms}, {@code 10s}, {@code 2m} and {@code 1h}: more than zero, at most a day. */
public final class DurationOption implements ITypeConverter<Duration> {

    private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ms|s|m|h)");
    private static final Duration MAX = Duration.ofDays(1);

    /** For the command line parser. */
    public DurationOption() {}

    @Override
    public Duration convert(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new TypeConversionException("'" + text + "' is no duration; write it as 500ms, 10s, 2m or 1h");
        }
        Duration duration = Duration.ofMillis(Long.parseLong(parts.group(1)) * millis(parts.group(2)));
        if (duration.isZero() || duration.compareTo(MAX) > 0) {
            throw new TypeConversionException("'" + text + "' must be more than zero and at most 24h");
        }
        return duration;
    }

    /** Formats a duration as {@link #convert} parses it, in the largest unit that is exact. */
    public static String format(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 1000 != 0) {
            return millis + "ms";
        }
        return millis / 1000 + "s";
    }

    /** Formats what is left of a time for people, as {@link #rounded}; a part of a second counts as one. */
    public static String left(Duration duration) {
        return rounded(duration.plusMillis(999));
    }

    /** Formats a duration for people in its two largest units; {@code 0s} if it is negative. */
    public static String rounded(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        if (seconds < 60) {
            return seconds + "s";
        } else if (seconds < 3_600) {
            return seconds / 60 + "m" + two(seconds % 60) + "s";
        } else if (seconds < 86_400) {
            return seconds / 3_600 + "h" + two(seconds / 60 % 60) + "m";
        }
        return seconds / 86_400 + "d" + two(seconds / 3_600 % 24) + "h";
    }

    private static String two(long number) {
        return (number < 10 ? "0" : "") + number;
    }

    private static long millis(String unit) {
        return switch (unit) {
            case "ms" -> 1;
            case "s" -> 1_000;
            case "m" -> 60_000;
            default -> 3_600_000;
        };
    }
}
