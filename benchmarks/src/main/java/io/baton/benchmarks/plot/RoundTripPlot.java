package io.baton.benchmarks.plot;

import io.baton.benchmarks.Played;
import io.baton.benchmarks.Setup;
import io.baton.benchmarks.Spread;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Changes of the holder a second over the network's round trip: a panel for each number of clients that has several. */
final class RoundTripPlot {

    private static final int PANEL = 300;
    private static final int HEIGHT = 300;
    private static final int LEFT = 55;
    private static final int RIGHT = 280;
    private static final int TOP = 65;
    private static final int BOTTOM = 245;

    private final Svg svg;
    private final double left;
    private final double longest;
    private final double greatest;

    private RoundTripPlot(Svg svg, int panel, double longest, double greatest) {
        this.svg = svg;
        this.left = panel * PANEL;
        this.longest = longest;
        this.greatest = greatest;
    }

    /** Empty if nothing was measured over several round trips. */
    static Optional<String> draw(Setup setup, List<Played> rows) {
        List<List<Played>> panels = rows.stream()
                .filter(played -> played.row().handsOff())
                .sorted(Comparator.comparing(played -> played.row().roundTrip()))
                .collect(Collectors.groupingBy(played -> played.row().clients(), TreeMap::new, Collectors.toList()))
                .values()
                .stream()
                .filter(panel -> panel.size() > 1)
                .toList();
        if (panels.isEmpty()) {
            return Optional.empty();
        }
        Svg svg = new Svg(panels.size() * PANEL, HEIGHT);
        svg.words(
                10,
                20,
                "start",
                Svg.BLACK,
                setup.name() + ": changes of the holder a second over the round trip in ms");
        for (int i = 0; i < panels.size(); i++) {
            draw(svg, i, setup.peer(), panels.get(i));
        }
        return Optional.of(svg.toString());
    }

    private static void draw(Svg svg, int panel, String peer, List<Played> rows) {
        List<Spread> peers = rows.stream().map(Played::peerChangesPerSecond).toList();
        List<Spread> batons = rows.stream().map(Played::batonChangesPerSecond).toList();
        List<Double> ticks = Ticks.fromZero(Stream.concat(peers.stream(), batons.stream())
                .mapToDouble(Spread::greatest)
                .max()
                .orElseThrow());
        double longest = millis(rows.get(rows.size() - 1));
        var plot = new RoundTripPlot(svg, panel, longest, ticks.get(ticks.size() - 1));
        plot.axes(rows, ticks);
        plot.side(rows, peer, peers, Svg.PEER, -3, 145);
        plot.side(rows, "Baton", batons, Svg.BATON, 3, 205);
    }

    private void axes(List<Played> rows, List<Double> ticks) {
        svg.words(left + LEFT, 45, "start", Svg.BLACK, rows.get(0).row().clients() + " clients");
        for (double tick : ticks) {
            svg.line(left + LEFT, y(tick), left + RIGHT, y(tick), Svg.GRID, 1);
            svg.words(left + LEFT - 6, y(tick) + 4, "end", Svg.BLACK, Ticks.label(tick));
        }
        for (Played row : rows) {
            svg.words(x(row), BOTTOM + 18, "middle", Svg.BLACK, Ticks.label(millis(row)));
        }
    }

    /**
     * One side's medians, joined, with the least and the greatest of each.
     *
     * @param changes of the rows
     * @param aside by which it is moved, so that both sides can be seen
     * @param keyX where its name stands
     */
    private void side(List<Played> rows, String name, List<Spread> changes, String colour, int aside, int keyX) {
        svg.words(left + keyX, 45, "start", colour, name);
        for (int i = 0; i < rows.size(); i++) {
            Spread now = changes.get(i);
            double x = x(rows.get(i)) + aside;
            svg.line(x, y(now.least()), x, y(now.greatest()), colour, 1);
            svg.dot(x, y(now.median()), colour);
            if (i > 0) {
                double before = changes.get(i - 1).median();
                svg.line(x(rows.get(i - 1)) + aside, y(before), x, y(now.median()), colour, 2);
            }
        }
    }

    private static double millis(Played row) {
        return row.row().roundTrip().toNanos() / 1e6;
    }

    private double x(Played row) {
        return left + LEFT + 15 + (RIGHT - LEFT - 30) * millis(row) / longest;
    }

    private double y(double perSecond) {
        return BOTTOM - (BOTTOM - TOP) * perSecond / greatest;
    }
}
