package io.baton.cli;

/** Escapes foreign text for a terminal: characters that would move the cursor or reverse the line become visible. */
public final class Text {

    private static final int LONGEST = 600;

    private Text() {}

    /** Returns the text as one escaped line, cut to 600 characters. */
    public static String line(String text) {
        String line = visible(joined(text.strip(), "; "));
        return line.codePointCount(0, line.length()) <= LONGEST
                ? line
                : line.substring(0, line.offsetByCodePoints(0, LONGEST)) + "...";
    }

    /** Joins the lines, with {@code between} in place of line ends and the blanks around them. */
    public static String joined(CharSequence lines, String between) {
        var out = new StringBuilder();
        for (int i = 0; i < lines.length(); ) {
            int from = i;
            boolean ends = false;
            char c = lines.charAt(i);
            while (blank(c)) {
                ends |= !(c == ' ' || c == '\t');
                i++;
                if (i == lines.length()) {
                    break;
                }
                c = lines.charAt(i);
            }
            if (ends) {
                out.append(between);
            } else if (i > from) {
                out.append(lines, from, i);
            } else {
                out.append(c);
                i++;
            }
        }
        return out.toString();
    }

    private static boolean blank(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r') || c == '\u0085' || c == '\u2028' || c == '\u2029';
    }

    /** Replaces characters that are invisible, or have effects, by {@code \\u...}. */
    public static String visible(String text) {
        if (text.codePoints().noneMatch(Text::hidden)) {
            return text;
        }
        var out = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (hidden(c)) {
                out.append(escaped(c));
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.toString();
    }

    /**
     * Whether a character is escaped: a control or format character, a line end, half a surrogate pair, private use, or
     * unassigned.
     */
    public static boolean hidden(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> true;
            default -> false;
        };
    }

    /** Returns a JSON string with the same characters escaped; null for an empty text. */
    public static String json(String text) {
        if (text.isEmpty()) {
            return "null";
        }
        return '"' + visible(text.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
    }

    /** Escapes a character as JSON and Java do, with two escapes for one outside the basic plane. */
    static String escaped(int c) {
        var out = new StringBuilder();
        for (char half : Character.toChars(c)) {
            out.append(String.format("\\u%04x", (int) half));
        }
        return out.toString();
    }

    /** The number of columns of the text on a terminal. */
    public static int columns(String text) {
        return text.codePoints().map(Text::columns).sum();
    }

    private static int columns(int c) {
        int type = Character.getType(c);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
            return 0;
        }
        boolean wide = Character.isIdeographic(c)
                || (c >= 0x1100 && c <= 0x115f)
                || (c >= 0x3000 && c <= 0x30ff)
                || (c >= 0xac00 && c <= 0xd7a3)
                || (c >= 0xff01 && c <= 0xff60)
                || (c >= 0x1f300 && c <= 0x1faff);
        return wide ? 2 : 1;
    }
}
