package io.baton.benchmarks.scale;

import java.util.List;
import java.util.Locale;

/** What clients have told, added up and judged. */
final class ClientFigures {

    private static final double BYTES_PER_MEGABYTE = 1024 * 1024;

    private static final int MOST_NOTES = 5;

    private ClientFigures() {}

    static void add(Figures figures, List<LoadClient> clients, Neighbour neighbour, double goal) {
        List<LoadReport> reports = clients.stream().map(LoadClient::report).toList();
        figures.failed = reports.stream().mapToLong(LoadReport::failed).sum();
        figures.lost = reports.stream().mapToLong(LoadReport::lost).sum() + neighbour.lost();
        figures.suspended = reports.stream().mapToLong(LoadReport::suspended).sum() + neighbour.suspended();
        figures.sessionsLost =
                reports.stream().mapToLong(LoadReport::sessionsLost).sum() + neighbour.sessionsLost();
        figures.leastQuiet =
                reports.stream().mapToDouble(LoadReport::least).min().orElse(Double.NaN);
        figures.leastCutOff =
                reports.stream().mapToDouble(LoadReport::leastCutOff).min().orElse(Double.NaN);
        figures.leastNeighbour = neighbour.least();
        figures.heapMegabytes =
                reports.stream().mapToLong(LoadReport::heapPeak).max().orElse(0) / BYTES_PER_MEGABYTE;
        clients.stream()
                .filter(client -> client.report().lost() > 0 || client.report().least() < goal)
                .limit(MOST_NOTES)
                .forEach(client -> figures.note(String.format(
                        Locale.ROOT,
                        "%s: a hold at %.2f of its ttl, %d lost",
                        client.name(),
                        client.report().least(),
                        client.report().lost())));
        clients.stream().filter(client -> !client.isAlive()).forEach(client -> figures.problem(client.end()));
        reports.stream()
                .map(LoadReport::firstFailure)
                .filter(failure -> !failure.isEmpty())
                .findFirst()
                .ifPresent(failure -> figures.note("the first failure: " + failure));
        judge(figures, goal);
    }

    private static void judge(Figures figures, double goal) {
        if (figures.failed > 0) {
            figures.problem(figures.failed + " failed");
        }
        if (figures.lost > 0) {
            figures.problem(figures.lost + " holds lost");
        }
        double least = Math.min(figures.leastQuiet, figures.leastNeighbour);
        if (least < goal) {
            figures.problem(String.format(Locale.ROOT, "a quiet hold at %.2f of its ttl", least));
        }
    }
}
