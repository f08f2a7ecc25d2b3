package io.baton.benchmarks;

import java.util.List;

/** One of the two that are compared: its clients, connected. */
interface Side extends AutoCloseable {

    /** One for each worker, each for one thread at a time. */
    List<LockTurn> turns();

    /** How many hold the lock or wait for it. */
    int inLine() throws Exception;

    /** Waits until what was sent has been answered. */
    void settle() throws Exception;

    @Override
    void close();
}
