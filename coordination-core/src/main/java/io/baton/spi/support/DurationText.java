package io.baton.spi.support;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Formats durations for people. */
public final class DurationText {

    private DurationText() {}

    /** Returns text such as {@code 300 ms}, {@code 2.5 s} or {@code 10 s}. */
    public static String of(Duration duration) {
        long millis = TimeUnit.MILLISECONDS.convert(duration);
        if (Math.abs(millis) < 1000) {
            return millis + " ms";
        }
        long tenths = Math.abs(millis % 1000) / 100;
        return millis / 1000 + (tenths == 0 ? "" : "." + tenths) + " s";
    }
}
