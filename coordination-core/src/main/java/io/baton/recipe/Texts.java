package io.baton.recipe;

import java.time.Duration;

/** How durations read in messages. */
public final class Texts {

    private Texts() {}

    /** As {@code 300 ms}, {@code 2.5 s} or {@code 10 s}. */
    public static String of(Duration duration) {
        long millis = duration.toMillis();
        if (Math.abs(millis) < 1000) {
            return millis + " ms";
        }
        long tenths = Math.abs(millis % 1000) / 100;
        return millis / 1000 + (tenths == 0 ? "" : "." + tenths) + " s";
    }
}
