package io.baton.benchmarks.plot;

import java.util.Locale;

/** A drawing, as SVG text. */
final class Svg {

    static final String BATON = "#0b62a4";
    static final String PEER = "#c0504d";
    static final String GRID = "#d9d9d9";
    static final String BLACK = "#000000";

    private final StringBuilder text = new StringBuilder();

    /** An empty one with this size in pixels. */
    Svg(int width, int height) {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
                        + " font-size=\"12\">",
                width, height);
        add("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", width, height);
    }

    void line(double fromX, double fromY, double toX, double toY, String colour, double width) {
        add(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"/>",
                fromX, fromY, toX, toY, colour, width);
    }

    void dot(double x, double y, String colour) {
        add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>", x, y, colour);
    }

    /**
     * Writes words.
     *
     * @param anchor which part of them is at x: {@code start}, {@code middle} or {@code end}
     */
    void words(double x, double y, String anchor, String colour, String words) {
        add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>",
                x, y, anchor, colour, words.replace("&", "&amp;").replace("<", "&lt;"));
    }

    @Override
    public String toString() {
        return text + "</svg>\n";
    }

    private void add(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
