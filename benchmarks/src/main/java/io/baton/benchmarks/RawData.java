package io.baton.benchmarks;

import io.baton.benchmarks.Played.Round;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Every round as measured, as a CSV file. */
public final class RawData {

    /** The names of the columns, its first line. */
    public static final String HEAD =
            "setup,row,clients,round_trip_nanos,round,side,passes,nanos,requests,client_cpu_nanos,allocated_bytes,"
                    + "holder_changes,least_share,longest_wait_nanos,limit_event_nanos,limit_create_delete_nanos";

    /** What a line begins with that says under which conditions the next ones were measured. */
    public static final String CONDITIONS = "# ";

    private static final List<String> COLUMNS = List.of(HEAD.split(",", -1));

    private final Setup setup;
    private final List<String> lines = new ArrayList<>(List.of(HEAD));

    RawData(Setup setup, String conditions) {
        this.setup = setup;
        lines.add(CONDITIONS + conditions);
    }

    void add(Played played) {
        List<Round> rounds = played.rounds();
        for (int i = 0; i < rounds.size(); i++) {
            add(played, i, setup.peerSide(), rounds.get(i).peer());
            add(played, i, Setup.BATON, rounds.get(i).baton());
        }
    }

    private void add(Played played, int round, String side, Outcome outcome) {
        lines.add(String.join(
                ",",
                setup.name(),
                played.row().name(),
                Integer.toString(played.row().clients()),
                Long.toString(played.row().roundTrip().toNanos()),
                Integer.toString(round),
                side,
                Long.toString(outcome.passes()),
                Long.toString(outcome.nanos()),
                Long.toString(outcome.requests()),
                Long.toString(outcome.usage().cpuNanos()),
                Long.toString(outcome.usage().allocated()),
                Long.toString(outcome.fairness().changes()),
                Double.toString(outcome.fairness().leastShare()),
                Long.toString(outcome.fairness().longestWaitNanos()),
                Double.toString(played.limits().event()),
                Double.toString(played.limits().createAndDelete())));
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    void write(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, lines);
    }

    /** Returns the results of one setup, from the lines of its file, in their order. */
    public static List<Played> parse(Setup setup, List<String> lines) {
        Map<String, List<List<String>>> rows = lines.stream()
                .skip(1)
                .filter(line -> !line.startsWith(CONDITIONS))
                .map(line -> List.of(line.split(",", -1)))
                .collect(Collectors.groupingBy(cells -> cell(cells, "row"), LinkedHashMap::new, Collectors.toList()));
        return rows.entrySet().stream()
                .map(row -> played(setup, setup.field().row(row.getKey()), row.getValue()))
                .toList();
    }

    private static Played played(Setup setup, Row row, List<List<String>> lines) {
        List<Outcome> peer = outcomes(setup.peerSide(), lines);
        List<Outcome> baton = outcomes(Setup.BATON, lines);
        var limits = new Limits(
                decimal(lines.get(0), "limit_create_delete_nanos"), decimal(lines.get(0), "limit_event_nanos"));
        return new Played(
                row,
                limits,
                IntStream.range(0, baton.size())
                        .mapToObj(i -> new Round(peer.get(i), baton.get(i)))
                        .toList());
    }

    private static List<Outcome> outcomes(String side, List<List<String>> lines) {
        return lines.stream()
                .filter(cells -> cell(cells, "side").equals(side))
                .map(RawData::outcome)
                .toList();
    }

    private static Outcome outcome(List<String> cells) {
        var usage = new Usage(number(cells, "client_cpu_nanos"), number(cells, "allocated_bytes"));
        var fairness = new Fairness(
                number(cells, "holder_changes"), decimal(cells, "least_share"), number(cells, "longest_wait_nanos"));
        return new Outcome(number(cells, "passes"), number(cells, "nanos"), number(cells, "requests"), usage, fairness);
    }

    private static long number(List<String> cells, String column) {
        return Long.parseLong(cell(cells, column));
    }

    private static double decimal(List<String> cells, String column) {
        return Double.parseDouble(cell(cells, column));
    }

    private static String cell(List<String> cells, String column) {
        return cells.get(COLUMNS.indexOf(column));
    }
}
