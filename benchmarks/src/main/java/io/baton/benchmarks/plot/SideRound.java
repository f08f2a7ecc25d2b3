package io.baton.benchmarks.plot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A round of one side, from raw data.
 *
 * @param row the row's name
 * @param clients of each side
 * @param roundTripMillis what the network adds to a round trip
 * @param side {@code baton} or the other
 * @param perSecond passes
 */
record SideRound(String row, int clients, double roundTripMillis, String side, double perSecond) {

    /** All of a file; its first line has the names of the columns. */
    static List<SideRound> parse(List<String> lines) {
        List<String> columns = Arrays.asList(lines.get(0).split(","));
        var rounds = new ArrayList<SideRound>();
        for (String line : lines.subList(1, lines.size())) {
            List<String> cells = Arrays.asList(line.split(","));
            rounds.add(new SideRound(
                    cells.get(columns.indexOf("row")),
                    (int) number(columns, cells, "clients"),
                    number(columns, cells, "round_trip_nanos") / 1e6,
                    cells.get(columns.indexOf("side")),
                    number(columns, cells, "passes") * 1e9 / number(columns, cells, "nanos")));
        }
        return rounds;
    }

    private static double number(List<String> columns, List<String> cells, String column) {
        return Double.parseDouble(cells.get(columns.indexOf(column)));
    }
}
