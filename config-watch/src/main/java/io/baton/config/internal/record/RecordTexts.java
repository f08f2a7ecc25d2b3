package io.baton.config.internal.record;

/** Texts for people, and for the store. */
public final class RecordTexts {

    private static final int SHOWN = 60;

    private RecordTexts() {}

    /** Returns its beginning, in one line. */
    static String line(String text) {
        return cut(text, SHOWN)
                .codePoints()
                .map(c -> Character.isISOControl(c) ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** Cuts it to at most this many characters. */
    public static String cut(String text, int most) {
        return text.codePointCount(0, text.length()) <= most
                ? text
                : text.substring(0, text.offsetByCodePoints(0, most)) + "...";
    }
}
