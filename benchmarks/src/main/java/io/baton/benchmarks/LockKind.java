package io.baton.benchmarks;

import java.util.SplittableRandom;

/** Which lock or recipe a row is about, and how its workers share it. */
enum LockKind {
    /** One worker at a time. */
    MUTEX(0),
    /** One at a time; a client's workers share a place in the line. */
    COHORT(0),
    /** One at a time; a client keeps its place for its next pass. */
    LINGER(0),
    /** A read/write lock; half of the passes read. */
    READ_50(50),
    /** A read/write lock; nine of ten passes read. */
    READ_90(90),
    /** A semaphore. */
    SEMAPHORE(100),
    /** A counter; a pass adds one. */
    COUNTER(100),
    /** A number; a pass sets it, on condition that it has not changed. */
    NUMBER(100),
    /** A barrier that one worker sets and lifts, and the others wait at. */
    BARRIER(100),
    /** A double barrier; a pass enters and leaves. */
    DOUBLE_BARRIER(100),
    /** A group; a pass joins, is seen by another client, leaves, and is seen to have gone. */
    GROUP(100);

    /** The permits of the semaphore. */
    static final int PERMITS = 4;

    private final int sharedPercent;

    LockKind(int sharedPercent) {
        this.sharedPercent = sharedPercent;
    }

    /** Whether it is a read/write lock. */
    boolean readsAndWrites() {
        return this == READ_50 || this == READ_90;
    }

    /** Whether it is a recipe, not a lock. */
    boolean isRecipe() {
        return compareTo(SEMAPHORE) > 0;
    }

    /** Draws whether the next pass shares the lock. */
    boolean shares(SplittableRandom chance) {
        return chance.nextInt(100) < sharedPercent;
    }
}
