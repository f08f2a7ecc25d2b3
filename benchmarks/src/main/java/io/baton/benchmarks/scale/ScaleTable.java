package io.baton.benchmarks.scale;

import java.util.List;
import java.util.Locale;

/** Figures as people read them. */
final class ScaleTable {

    private static final List<String> HEAD = List.of(
            "case",
            "queue s",
            "drain s",
            "grants/s",
            "granted / failed / lost",
            "least quiet",
            "while cut off",
            "least neighbour",
            "SUSPENDED / LOST",
            "heap MB",
            "requests/waiter",
            "requests/hand-off",
            "server CPU s",
            "verdict");

    private ScaleTable() {}

    static String head() {
        return line(HEAD) + "\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|";
    }

    static String line(Figures figures) {
        return line(List.of(
                figures.what.word(),
                number("%.1f", figures.queueSeconds),
                number("%.1f", figures.drainSeconds),
                number("%.0f", figures.grantsPerSecond()),
                figures.granted + " / " + figures.failed + " / " + figures.lost,
                number("%.2f", figures.leastQuiet),
                figures.leastCutOff < 1 ? number("%.2f", figures.leastCutOff) : "-",
                number("%.2f", figures.leastNeighbour),
                figures.suspended + " / " + figures.sessionsLost,
                number("%.0f", figures.heapMegabytes),
                number("%.1f", figures.requestsPerWaiter),
                number("%.1f", figures.requestsAmongFew) + " / " + number("%.1f", figures.requestsAmongMany),
                number("%.1f", figures.serverCpuSeconds),
                figures.problems().isEmpty() ? "ok" : String.join("; ", figures.problems())));
    }

    static String number(String format, double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : "-";
    }

    private static String line(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |";
    }
}
