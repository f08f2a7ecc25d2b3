package io.baton.recipe;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Lines of {@code key=value} in UTF-8, with line breaks, {@code =} and {@code %} percent-encoded. */
public final class TextLines {

    private final StringBuilder text;

    /** Starts with these lines, unparsed. */
    public TextLines(byte[] before) {
        text = new StringBuilder(new String(before, StandardCharsets.UTF_8));
    }

    public TextLines() {
        this(new byte[0]);
    }

    public TextLines add(String key, String value) {
        text.append(escape(key)).append('=').append(escape(value)).append('\n');
        return this;
    }

    public byte[] bytes() {
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Parses all lines; of duplicate keys the last one counts. Other lines are ignored. */
    public static Map<String, String> decode(byte[] bytes) {
        Map<String, String> lines = new LinkedHashMap<>();
        for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n", -1)) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                lines.put(unescape(line.substring(0, equals)), unescape(line.substring(equals + 1)));
            }
        }
        return lines;
    }

    /** Parses a number; returns zero if it is not one. */
    public static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException foreign) {
            return 0;
        }
    }

    /** Returns other text for people, with this many characters at most, and no control characters. */
    public static String shown(byte[] foreign, int most) {
        var out = new StringBuilder();
        new String(foreign, StandardCharsets.UTF_8)
                .codePoints()
                .limit(most)
                .forEach(c -> out.appendCodePoint(Character.isISOControl(c) ? '?' : c));
        return out.toString();
    }

    private static String escape(String text) {
        return text.replace("%", "%25")
                .replace("\n", "%0A")
                .replace("\r", "%0D")
                .replace("=", "%3D");
    }

    private static String unescape(String text) {
        // Most texts have none, and records are decoded each time that one changes.
        if (text.indexOf('%') < 0) {
            return text;
        }
        return text.replace("%3D", "=")
                .replace("%0D", "\r")
                .replace("%0A", "\n")
                .replace("%25", "%");
    }
}
