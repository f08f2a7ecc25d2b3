package io.baton.benchmarks.config;

import java.util.Collection;

/** Values of one kind, in order of size; at least one. */
record Sorted(long[] values) {

    static Sorted of(Collection<Long> values) {
        return new Sorted(values.stream().mapToLong(Long::longValue).sorted().toArray());
    }

    /** The value that this share is not above, in nanoseconds; 0.5 for the median. */
    long at(double share) {
        return values[(int) Math.ceil(share * values.length) - 1];
    }

    /** The same in milliseconds. */
    double millis(double share) {
        return at(share) / 1e6;
    }

    /** The same in megabytes. */
    double megabytes(double share) {
        return at(share) / 1e6;
    }
}
