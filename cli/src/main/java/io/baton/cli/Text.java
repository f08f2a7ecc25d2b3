package io.baton.cli;

/** Text that comes from elsewhere, made fit for a terminal: what would move the cursor or turn the line round is shown. */
public final class Text {

    private static final int LONGEST = 600;

    private Text() {}

    /** As one line, and no endless one. */
    public static String line(String text) {
        String line = visible(joined(text.strip(), "; "));
        return line.codePointCount(0, line.length()) <= LONGEST
                ? line
                : line.substring(0, line.offsetByCodePoints(0, LONGEST)) + "...";
    }

    /** Its lines as one, with this between them in the place of line ends and the blanks around them. */
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

    /** With {@code \\u...} in the place of what cannot be seen, or does more than being seen. */
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

    /** Whether it is no plain sign: a control or format character, a line end, half a surrogate pair, or unassigned. */
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

    /** As a string of JSON, with the same signs shown; null for an empty one. */
    public static String json(String text) {
        if (text.isEmpty()) {
            return "null";
        }
        return '"' + visible(text.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
    }

    /** In the form of JSON and Java: two of them where one is too small. */
    static String escaped(int c) {
        var out = new StringBuilder();
        for (char half : Character.toChars(c)) {
            out.append(String.format("\\u%04x", (int) half));
        }
        return out.toString();
    }

    /** How many columns it takes on a terminal. */
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
