package io.baton.jdbc;

import io.baton.spi.support.Background;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A daemon thread that runs tasks in order, until it is closed. Without a thread to be had, it runs none. */
final class TaskThread {

    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final String name;
    private final Consumer<Throwable> failed;
    private final Runnable atEnd;
    private volatile boolean closed;

    /**
     * Creates it; it has not started.
     *
     * @param failed receives what a task throws, on the thread
     * @param atEnd runs on the thread once it is closed, as the last
     */
    TaskThread(String name, Consumer<Throwable> failed, Runnable atEnd) {
        this.name = name;
        this.failed = failed;
        this.atEnd = atEnd;
    }

    /** Returns false if the machine has no thread to give now. */
    boolean start() {
        return Background.start(name, this::run).isPresent();
    }

    private void run() {
        while (!closed) {
            try {
                tasks.take().run();
            } catch (InterruptedException ignored) {
                // Nobody interrupts it but a driver's own doings.
            } catch (Throwable thrown) {
                failed.accept(thrown);
            }
        }
        atEnd.run();
    }

    void execute(Runnable task) {
        tasks.add(task);
    }

    /** Whether nothing is queued. */
    boolean isIdle() {
        return tasks.isEmpty();
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
        if (Background.start(name + "-end", interruption).isEmpty()) {
            interruption.run();
        }
    }
}
