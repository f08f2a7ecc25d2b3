package io.baton.benchmarks.scale;

import java.time.Duration;

/**
 * How much of everything.
 *
 * @param waiters in one line, of one coordinator
 * @param processes with waiters in one line
 * @param waitersEach of these processes
 * @param fewEach waiters of each of these processes where few wait and then many
 * @param manyEach the same once many wait
 * @param locks waited for by one coordinator, and held by another
 * @param entries of a long line that is refused
 * @param listed entries of a long line that is listed, and read one by one
 * @param limit how long a case may take unless another limit is given
 */
record LoadSize(
        int waiters,
        int processes,
        int waitersEach,
        int fewEach,
        int manyEach,
        int locks,
        int entries,
        int listed,
        Duration limit) {

    static final LoadSize FULL = new LoadSize(5_000, 20, 250, 5, 50, 5_000, 20_000, 20_000, Duration.ofMinutes(3));

    /** Only to see that it works; a long line that is refused is as long, as a shorter one is not refused. */
    static final LoadSize SHORT = new LoadSize(300, 4, 60, 5, 20, 300, 20_000, 2_000, Duration.ofMinutes(1));
}
