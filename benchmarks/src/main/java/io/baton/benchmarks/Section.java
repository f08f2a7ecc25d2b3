package io.baton.benchmarks;

import java.util.concurrent.atomic.LongAdder;

/** The section that the lock protects. Its counters are plain, so two workers inside at once make them wrong. */
final class Section {

    private static final int NO_WORKER = -1;

    private long passed;
    private long changes;
    private int last = NO_WORKER;
    private final LongAdder shared = new LongAdder();

    /** Counts a pass of this worker. Only while holding the lock. */
    void pass(int worker) {
        passed++;
        if (worker != last) {
            changes++;
            last = worker;
        }
    }

    /** Counts a pass of a worker that shares the lock. */
    void passShared() {
        shared.increment();
    }

    /** How often the lock went to another worker than the one before. */
    long changes() {
        return changes;
    }

    /** Fails unless everybody has passed, one at a time. */
    void expect(long passes) {
        long counted = passed + shared.sum();
        if (counted != passes) {
            throw new IllegalStateException("the lock did not exclude: " + passes + " passes, counted " + counted);
        }
    }
}
