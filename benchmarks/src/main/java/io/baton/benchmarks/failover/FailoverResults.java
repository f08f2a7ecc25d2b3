package io.baton.benchmarks.failover;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** All that was measured on one store: as raw data, and as people read it. */
final class FailoverResults {

    private static final String LINE = "| %-11s | %-15s | %6s | %9s | %9s | %9s | %5s |";

    private record One(FailoverCase what, String party, int round, Measured measured) {}

    private final String store;
    private final List<One> all = new ArrayList<>();

    FailoverResults(String store) {
        this.store = store;
    }

    void add(FailoverCase what, String party, int round, Measured measured) {
        all.add(new One(what, party, round, measured));
    }

    /** The head of the table. */
    static String head() {
        return String.format(Locale.ROOT, LINE, "case", "who", "rounds", "median ms", "worst ms", "bound ms", "kept")
                + "\n|-------------|-----------------|-------:|----------:|----------:|----------:|------:|";
    }

    /** A line for each party that has this case. */
    Stream<String> lines(FailoverCase what, Duration bound) {
        return all.stream()
                .filter(one -> one.what == what)
                .map(One::party)
                .distinct()
                .map(party -> line(what, party, bound));
    }

    private String line(FailoverCase what, String party, Duration bound) {
        List<Measured> measured = all.stream()
                .filter(one -> one.what == what && one.party.equals(party))
                .map(One::measured)
                .toList();
        long[] nanos = measured.stream().mapToLong(Measured::nanos).sorted().toArray();
        return String.format(
                Locale.ROOT,
                LINE,
                what.word(),
                party,
                nanos.length,
                millis((nanos[(nanos.length - 1) / 2] + nanos[nanos.length / 2]) / 2),
                millis(nanos[nanos.length - 1]),
                bound.isZero() ? "" : Long.toString(bound.toMillis()),
                what == FailoverCase.SERVER_LOST
                        ? Long.toString(measured.stream().filter(Measured::kept).count())
                        : "");
    }

    /** Every round, as a CSV file. */
    void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>(List.of("store,case,who,round,nanos,kept"));
        all.forEach(one -> lines.add(String.join(
                ",",
                store,
                one.what.word(),
                one.party,
                Integer.toString(one.round),
                Long.toString(one.measured.nanos()),
                Boolean.toString(one.measured.kept()))));
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, lines);
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1f", nanos / 1e6);
    }
}
