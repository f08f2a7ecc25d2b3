package io.baton.config.internal.record;

import java.nio.charset.StandardCharsets;

/** Texts for people, and as they go to the store. */
public final class RecordTexts {

    private static final int SHOWN = 60;

    private RecordTexts() {}

    /** The beginning of it, in one line. */
    static String line(String text) {
        return cut(text, SHOWN)
                .codePoints()
                .map(c -> Character.isISOControl(c) ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** At most so much of it. */
    public static String cut(String text, int most) {
        return text.codePointCount(0, text.length()) <= most
                ? text
                : text.substring(0, text.offsetByCodePoints(0, most)) + "...";
    }

    /** Whether it is well-formed Unicode, so that it comes back as it was written. */
    public static boolean wellFormed(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }
}
