package io.baton.benchmarks.plot;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/** Round values along an axis. */
final class Ticks {

    private Ticks() {}

    /** Of an axis that shows ratios: from the last round value up to the least one to the first from the greatest. */
    static List<Double> ofRatios(double least, double greatest) {
        var ticks = new ArrayList<Double>();
        for (double tick : (Iterable<Double>) rounded()::iterator) {
            if (tick <= least) {
                ticks.clear();
            }
            ticks.add(tick);
            if (tick >= greatest) {
                return ticks;
            }
        }
        return ticks;
    }

    /** Of an axis that begins at 0: up to the first that is not below the greatest value, at most six. */
    static List<Double> fromZero(double greatest) {
        double step = rounded().filter(each -> each * 5 >= greatest).findFirst().orElseThrow();
        var ticks = new ArrayList<Double>(List.of(0.0));
        for (int i = 1; ticks.get(ticks.size() - 1) < greatest; i++) {
            ticks.add(i * step);
        }
        return ticks;
    }

    static String label(double tick) {
        return new DecimalFormat("0.##", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(tick);
    }

    /** 0.01, 0.02, 0.05, 0.1 and so on. */
    private static DoubleStream rounded() {
        return DoubleStream.iterate(0.01, power -> power < 1e9, power -> power * 10)
                .flatMap(power -> DoubleStream.of(1, 2, 5).map(each -> each * power));
    }
}
