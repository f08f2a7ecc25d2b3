package io.baton.recipe;

import io.baton.spi.support.DurationText;
import java.time.Duration;

/** How durations read in messages. */
public final class Texts {

    private Texts() {}

    /** As {@code 300 ms}, {@code 2.5 s} or {@code 10 s}. */
    public static String of(Duration duration) {
        return DurationText.of(duration);
    }
}
