package io.baton.benchmarks.plot;

import io.baton.benchmarks.Spread;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Hand-offs a second over the network's round trip: a panel for each number of clients that has several. */
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
    static Optional<String> draw(String setup, List<RowRounds> rows) {
        List<List<RowRounds>> panels = rows.stream()
                .filter(RowRounds::handsOff)
                .sorted(Comparator.comparingDouble(RowRounds::roundTripMillis))
                .collect(Collectors.groupingBy(RowRounds::clients, TreeMap::new, Collectors.toList()))
                .values()
                .stream()
                .filter(panel -> panel.size() > 1)
                .toList();
        if (panels.isEmpty()) {
            return Optional.empty();
        }
        Svg svg = new Svg(panels.size() * PANEL, HEIGHT);
        svg.words(10, 20, "start", Svg.BLACK, setup + ": hand-offs a second over the round trip in ms");
        for (int i = 0; i < panels.size(); i++) {
            draw(svg, i, panels.get(i));
        }
        return Optional.of(svg.toString());
    }

    private static void draw(Svg svg, int panel, List<RowRounds> rows) {
        String peer = rows.get(0).peer();
        List<Double> ticks = Ticks.fromZero(rows.stream()
                .flatMap(row -> Stream.of(row.perSecond(RowRounds.BATON), row.perSecond(peer)))
                .mapToDouble(Spread::greatest)
                .max()
                .orElseThrow());
        double longest = rows.get(rows.size() - 1).roundTripMillis();
        var plot = new RoundTripPlot(svg, panel, longest, ticks.get(ticks.size() - 1));
        plot.axes(rows, ticks);
        plot.side(rows, peer, Svg.PEER, -3, 145);
        plot.side(rows, RowRounds.BATON, Svg.BATON, 3, 205);
    }

    private void axes(List<RowRounds> rows, List<Double> ticks) {
        svg.words(left + LEFT, 45, "start", Svg.BLACK, rows.get(0).clients() + " clients");
        for (double tick : ticks) {
            svg.line(left + LEFT, y(tick), left + RIGHT, y(tick), Svg.GRID, 1);
            svg.words(left + LEFT - 6, y(tick) + 4, "end", Svg.BLACK, Ticks.label(tick));
        }
        for (RowRounds row : rows) {
            svg.words(x(row), BOTTOM + 18, "middle", Svg.BLACK, Ticks.label(row.roundTripMillis()));
        }
    }

    /**
     * One side's medians, joined, with the least and the greatest of each.
     *
     * @param aside by which it is moved, so that both sides can be seen
     * @param keyX where its name stands
     */
    private void side(List<RowRounds> rows, String side, String colour, int aside, int keyX) {
        svg.words(left + keyX, 45, "start", colour, side);
        for (int i = 0; i < rows.size(); i++) {
            Spread now = rows.get(i).perSecond(side);
            double x = x(rows.get(i)) + aside;
            svg.line(x, y(now.least()), x, y(now.greatest()), colour, 1);
            svg.dot(x, y(now.median()), colour);
            if (i > 0) {
                double before = rows.get(i - 1).perSecond(side).median();
                svg.line(x(rows.get(i - 1)) + aside, y(before), x, y(now.median()), colour, 2);
            }
        }
    }

    private double x(RowRounds row) {
        return left + LEFT + 15 + (RIGHT - LEFT - 30) * row.roundTripMillis() / longest;
    }

    private double y(double perSecond) {
        return BOTTOM - (BOTTOM - TOP) * perSecond / greatest;
    }
}
