package io.baton.recipe;

import io.baton.spi.support.DurationText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Formats durations and long texts for messages, and checks texts of programs. */
public final class Texts {

    private static final int MOST_CHARS = 2_000;
    private static final String CUT = " ...";

    private Texts() {}

    /** Returns the duration as {@code 300 ms}, {@code 2.5 s} or {@code 10 s}. */
    public static String of(Duration duration) {
        return DurationText.of(duration);
    }

    /** Returns whether the text is well-formed Unicode. In UTF-8, other text reads otherwise than it was written. */
    public static boolean isWellFormed(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    /** Returns a text of a program's, such as a reason, cut to 2,000 characters so that it fits into a record. */
    public static String shortened(String text) {
        return text.length() <= MOST_CHARS ? text : text.substring(0, MOST_CHARS - CUT.length()) + CUT;
    }
}
