package io.baton.benchmarks;

import io.baton.benchmarks.Contest.Played;
import io.baton.benchmarks.Contest.Round;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Every round as measured, as a CSV file. */
final class RawData {

    private final List<String> lines = new ArrayList<>(List.of(
            "setup,row,clients,round_trip_nanos,round,side,passes,nanos,requests,client_cpu_nanos,allocated_bytes,"
                    + "holder_changes,least_share,longest_wait_nanos,limit_event_nanos,limit_create_delete_nanos"));

    private final Setup setup;

    RawData(Setup setup) {
        this.setup = setup;
    }

    void add(Row row, Played played) {
        List<Round> rounds = played.rounds();
        for (int i = 0; i < rounds.size(); i++) {
            add(row, i, setup.peer(), rounds.get(i).peer(), played.limits());
            add(row, i, Setup.BATON, rounds.get(i).baton(), played.limits());
        }
    }

    private void add(Row row, int round, String side, Outcome outcome, Limits limits) {
        lines.add(String.join(
                ",",
                setup.name(),
                row.name(),
                Integer.toString(row.clients()),
                Long.toString(row.roundTrip().toNanos()),
                Integer.toString(round),
                side,
                Long.toString(outcome.passes()),
                Long.toString(outcome.nanos()),
                Long.toString(outcome.requests()),
                Long.toString(outcome.usage().cpuNanos()),
                Long.toString(outcome.usage().allocated()),
                Long.toString(outcome.fairness().changes()),
                String.format(Locale.ROOT, "%.3f", outcome.fairness().leastShare()),
                Long.toString(outcome.fairness().longestWaitNanos()),
                String.format(Locale.ROOT, "%.0f", limits.event()),
                String.format(Locale.ROOT, "%.0f", limits.createAndDelete())));
    }

    void write(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, lines);
    }
}
