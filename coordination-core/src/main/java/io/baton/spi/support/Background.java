package io.baton.spi.support;

import java.util.Optional;

/** Threads of ours for what may block. */
public final class Background {

    private Background() {}

    /**
     * Runs a task on a daemon thread of its own.
     *
     * @return the thread; empty if the machine has none to give at the moment, and the task will not run
     */
    public static Optional<Thread> start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        try {
            thread.start();
            return Optional.of(thread);
        } catch (OutOfMemoryError none) {
            return Optional.empty();
        }
    }
}
