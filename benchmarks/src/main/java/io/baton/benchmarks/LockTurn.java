package io.baton.benchmarks;

/** One worker's way to the lock. */
interface LockTurn {

    /** Waits for the lock, shared with others or not. */
    void take(boolean shared) throws Exception;

    /** Gives it back. */
    void give() throws Exception;
}
