package io.baton.benchmarks.scale;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** All figures of a run, as a CSV file; an empty cell could not be measured. */
final class ScaleData {

    private final List<String> lines = new ArrayList<>(List.of(
            "store,case,queue_s,drain_s,granted,failed,lost,least_quiet,least_cut_off,least_neighbour,suspended,sessions_lost,"
                    + "heap_mb,requests_per_waiter,requests_among_few,requests_among_many,server_cpu_s,goals"));

    private final ScaleStore store;

    ScaleData(ScaleStore store) {
        this.store = store;
    }

    void add(Figures figures) {
        lines.add(String.join(
                ",",
                store.scheme(),
                figures.what.word(),
                cell(figures.queueSeconds),
                cell(figures.drainSeconds),
                Long.toString(figures.granted),
                Long.toString(figures.failed),
                Long.toString(figures.lost),
                cell(figures.leastQuiet),
                cell(figures.leastCutOff),
                cell(figures.leastNeighbour),
                Long.toString(figures.suspended),
                Long.toString(figures.sessionsLost),
                cell(figures.heapMegabytes),
                cell(figures.requestsPerWaiter),
                cell(figures.requestsAmongFew),
                cell(figures.requestsAmongMany),
                cell(figures.serverCpuSeconds),
                figures.problems().isEmpty() ? "met" : "missed"));
    }

    void write(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, lines);
    }

    private static String cell(double value) {
        return Double.isFinite(value) ? Double.toString(value) : "";
    }
}
