package io.baton.benchmarks.plot;

import io.baton.benchmarks.Played;
import io.baton.benchmarks.Setup;
import io.baton.benchmarks.Spread;
import java.util.List;
import java.util.Locale;

/** For each row the least, the median and the greatest ratio of Baton's passes to those of the peer. */
final class RatioPlot {

    private static final int WIDTH = 720;
    private static final int LEFT = 150;
    private static final int RIGHT = 640;
    private static final int TOP = 50;
    private static final int ROW = 22;

    private RatioPlot() {}

    static String draw(Setup setup, List<Played> rows) {
        List<Spread> ratios = rows.stream().map(Played::ratio).toList();
        List<Double> ticks = Ticks.ofRatios(
                ratios.stream().mapToDouble(Spread::least).min().orElseThrow(),
                ratios.stream().mapToDouble(Spread::greatest).max().orElseThrow());
        double least = ticks.get(0);
        double greatest = ticks.get(ticks.size() - 1);
        int bottom = TOP + rows.size() * ROW;
        Svg svg = new Svg(WIDTH, bottom + 30);
        svg.words(10, 20, "start", Svg.BLACK, setup.name() + ": passes a second, Baton / " + setup.peer());
        for (double tick : ticks) {
            double x = x(tick, least, greatest);
            svg.line(x, TOP, x, bottom, tick == 1 ? Svg.BLACK : Svg.GRID, 1);
            svg.words(x, bottom + 18, "middle", Svg.BLACK, Ticks.label(tick));
        }
        for (int i = 0; i < rows.size(); i++) {
            Spread ratio = ratios.get(i);
            double y = TOP + (i + 0.5) * ROW;
            String colour = ratio.median() < 1 ? Svg.PEER : Svg.BATON;
            svg.words(LEFT - 10, y + 4, "end", Svg.BLACK, rows.get(i).row().name());
            svg.line(x(ratio.least(), least, greatest), y, x(ratio.greatest(), least, greatest), y, colour, 2);
            svg.dot(x(ratio.median(), least, greatest), y, colour);
            svg.words(RIGHT + 15, y + 4, "start", colour, String.format(Locale.ROOT, "%.2fx", ratio.median()));
        }
        return svg.toString();
    }

    /** On a logarithmic axis. */
    private static double x(double ratio, double least, double greatest) {
        return LEFT + (RIGHT - LEFT) * Math.log(ratio / least) / Math.log(greatest / least);
    }
}
