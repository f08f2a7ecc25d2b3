package io.baton.benchmarks;

import io.baton.benchmarks.Contest.Round;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Every round as measured, as a CSV file. */
final class RawData {

    private final List<String> lines =
            new ArrayList<>(List.of("store,row,round,side,passes,nanos,requests,client_cpu_nanos"));

    private final Field field;

    RawData(Field field) {
        this.field = field;
    }

    void add(Row row, List<Round> rounds) {
        for (int i = 0; i < rounds.size(); i++) {
            add(row, i, field.peer().toLowerCase(Locale.ROOT), rounds.get(i).peer());
            add(row, i, "baton", rounds.get(i).baton());
        }
    }

    private void add(Row row, int round, String side, Outcome outcome) {
        lines.add(String.join(
                ",",
                field.scheme(),
                row.name(),
                Integer.toString(round),
                side,
                Long.toString(outcome.passes()),
                Long.toString(outcome.nanos()),
                Long.toString(outcome.requests()),
                Long.toString(outcome.cpuNanos())));
    }

    void write(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, lines);
    }
}
