package io.baton.benchmarks;

import java.util.List;

/**
 * How a round's passes were spread.
 *
 * @param changes how often the lock went to another worker than the one before
 * @param leastShare the passes of the worker with the fewest, as a share of the average
 * @param longestWaitNanos the longest time that a worker waited for the lock
 */
record Fairness(long changes, double leastShare, long longestWaitNanos) {

    /** One worker's part in a round. */
    record Part(long passes, long longestWaitNanos) {}

    static Fairness of(List<Part> parts, long changes) {
        double average = parts.stream().mapToLong(Part::passes).average().orElseThrow();
        long least = parts.stream().mapToLong(Part::passes).min().orElseThrow();
        long longest = parts.stream().mapToLong(Part::longestWaitNanos).max().orElseThrow();
        return new Fairness(changes, least / average, longest);
    }
}
