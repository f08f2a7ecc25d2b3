package io.baton.benchmarks;

/** The section that the lock protects. Its counters are plain, so two workers inside at once make them wrong. */
final class Section {

    private static final int NO_WORKER = -1;

    private long passed;
    private long changes;
    private int last = NO_WORKER;

    /** Counts a pass of this worker. Only while holding the lock. */
    void pass(int worker) {
        passed++;
        if (worker != last) {
            changes++;
            last = worker;
        }
    }

    /** How often the lock went to another worker than the one before. */
    long changes() {
        return changes;
    }

    /** Fails unless everybody has passed, one at a time. */
    void expect(long passes) {
        if (passed != passes) {
            throw new IllegalStateException("the lock did not exclude: " + passes + " passes, counted " + passed);
        }
    }
}
