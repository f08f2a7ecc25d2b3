package io.baton.benchmarks.config;

/**
 * How much of everything.
 *
 * @param writes of each side whose latency is measured
 * @param warmUp writes of each side before that
 * @param keys of a large space
 * @param openings of it by each side
 * @param seconds of many changes
 * @param followers of one key
 * @param changes that all of them hear of
 */
record Size(int writes, int warmUp, int keys, int openings, int seconds, int followers, int changes) {

    static final Size FULL = new Size(3_000, 2_000, 10_000, 7, 60, 200, 100);

    /** Only to see that it works. */
    static final Size SHORT = new Size(50, 20, 200, 2, 1, 5, 5);
}
