package io.baton.benchmarks;

/** What the lock protects: a plain counter, wrong at once if two were ever inside. */
final class Section {

    private long passed;

    /** Only while holding the lock. */
    void pass() {
        passed++;
    }

    /** Fails unless everybody has passed, one at a time. */
    void expect(long passes) {
        if (passed != passes) {
            throw new IllegalStateException("the lock did not exclude: " + passes + " passes, counted " + passed);
        }
    }
}
