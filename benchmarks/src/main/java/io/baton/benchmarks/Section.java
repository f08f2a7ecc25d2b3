package io.baton.benchmarks;

/** What the lock protects: plain counters, wrong at once if two were ever inside. */
final class Section {

    private static final int NOBODY = -1;

    private long passed;
    private long changes;
    private int last = NOBODY;

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
