package io.baton.spi.support;

import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** Daemon threads for work that may block. */
public final class Background {

    private Background() {}

    /** Returns whether this many threads can be started now. Tries it, and blocks until they have ended. */
    public static boolean mayStart(int count) {
        var enough = new CountDownLatch(1);
        var started = new ArrayList<Thread>();
        boolean all = true;
        for (int i = 0; i < count && all; i++) {
            Optional<Thread> one = start("baton-try", () -> await(enough));
            one.ifPresent(started::add);
            all = one.isPresent();
        }
        enough.countDown();
        started.forEach(Background::join);
        return all;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException nobodyDoesThat) {
            Thread.currentThread().interrupt();
        }
    }

    private static void join(Thread ended) {
        try {
            ended.join();
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Runs a task on a daemon thread of its own.
     *
     * @return the thread; empty if the machine has none to give now, and then the task does not run
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
