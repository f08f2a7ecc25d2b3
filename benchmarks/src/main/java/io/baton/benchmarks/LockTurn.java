package io.baton.benchmarks;

/** One worker's way to the lock. */
interface LockTurn {

    /** Waits for the lock. */
    void take() throws Exception;

    /** Gives it back. */
    void give() throws Exception;
}
