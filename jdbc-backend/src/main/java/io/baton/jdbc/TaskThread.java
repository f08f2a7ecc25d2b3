package io.baton.jdbc;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A daemon thread that runs tasks in order, until it is closed. */
final class TaskThread {

    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final String name;
    private volatile boolean closed;

    TaskThread(String name) {
        this.name = name;
        start(name, this::run);
    }

    private void run() {
        while (!closed) {
            try {
                tasks.take().run();
            } catch (InterruptedException ignored) {
                // Nobody interrupts it but a driver's own doings.
            }
        }
    }

    void execute(Runnable task) {
        tasks.add(task);
    }

    /** Runs what is queued, or else waits for it no longer than this. On the thread. */
    void runOthers(Duration most) throws InterruptedException {
        Runnable next = tasks.poll(most.toNanos(), TimeUnit.NANOSECONDS);
        if (next != null) {
            next.run();
        }
    }

    /** Ends it after the present task, which this interrupts in a way of its own, on another thread. */
    void close(Runnable interruption) {
        closed = true;
        tasks.add(() -> {});
        start(name + "-end", interruption);
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
