package io.baton.recipe;

import io.baton.spi.support.DurationText;
import java.time.Duration;

/** Formats durations for messages. */
public final class Texts {

    private Texts() {}

    /** Returns the duration as {@code 300 ms}, {@code 2.5 s} or {@code 10 s}. */
    public static String of(Duration duration) {
        return DurationText.of(duration);
    }
}
