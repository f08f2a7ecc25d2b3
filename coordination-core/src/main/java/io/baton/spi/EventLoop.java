package io.baton.spi;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The real {@link Loop}: one daemon thread, the system's clocks. A task that throws is logged and ends alone. */
public final class EventLoop implements Loop, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EventLoop.class);
    private static final SecureRandom RANDOM = new SecureRandom();

    private final ScheduledThreadPoolExecutor executor;

    /** Starts the thread under this name. */
    public EventLoop(String name) {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public long randomLong() {
        return RANDOM.nextLong();
    }

    /**
     * {@inheritDoc}
     *
     * @throws RejectedExecutionException once closed
     */
    @Override
    public void execute(Runnable task) {
        executor.execute(() -> run(task));
    }

    /**
     * {@inheritDoc}
     *
     * @throws RejectedExecutionException once closed
     */
    @Override
    public Timer after(Duration delay, Runnable task) {
        var future = executor.schedule(() -> run(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    /** Runs what is queued, drops what waits for its time, and takes nothing new. Does not wait. */
    @Override
    public void close() {
        executor.shutdown();
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error broken) {
            log.error("A task of the event loop failed; this is a defect of Baton, please report it", broken);
        }
    }
}
