package io.baton.benchmarks;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/** How values of several rounds lie, at least one. */
public record Spread(double least, double median, double greatest) {

    /** Of these values, in any order. */
    public static Spread of(DoubleStream values) {
        double[] sorted = values.toArray();
        Arrays.sort(sorted);
        int last = sorted.length - 1;
        return new Spread(sorted[0], (sorted[last / 2] + sorted[(last + 1) / 2]) / 2, sorted[last]);
    }
}
