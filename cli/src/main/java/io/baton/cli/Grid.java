package io.baton.cli;

import java.util.ArrayList;
import java.util.List;

/** Formats rows of cells as lines with aligned columns. */
public final class Grid {

    private static final String GAP = "  ";

    private Grid() {}

    /** Formats the lines; all rows must have the same number of cells. */
    public static List<String> lines(List<List<String>> rows) {
        List<Integer> widths = widths(rows);
        var lines = new ArrayList<String>(rows.size());
        for (List<String> row : rows) {
            var line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                String cell = row.get(column);
                line.append(GAP).append(cell).append(" ".repeat(widths.get(column) - Text.columns(cell)));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    /** Formats foreign text as a cell: escaped for a terminal and cut as by {@link #cut}; a dash if it is blank. */
    public static String cell(String text, int widest) {
        String shown = Text.visible(text);
        return shown.isBlank() ? "-" : cut(shown, widest);
    }

    /** Cuts visible text to this many columns, and marks a cut by {@code ...} at the end. */
    public static String cut(String shown, int widest) {
        int end = 0;
        int columns = 0;
        while (end < shown.length()) {
            int next = shown.offsetByCodePoints(end, 1);
            columns += Text.columns(shown.substring(end, next));
            if (columns > widest) {
                return shown.substring(0, end) + "...";
            }
            end = next;
        }
        return shown;
    }

    private static List<Integer> widths(List<List<String>> rows) {
        var widths = new ArrayList<Integer>();
        for (List<String> row : rows) {
            for (int column = 0; column < row.size(); column++) {
                int width = Text.columns(row.get(column));
                if (column == widths.size()) {
                    widths.add(width);
                } else {
                    widths.set(column, Math.max(width, widths.get(column)));
                }
            }
        }
        return widths;
    }
}
