package io.baton.testkit.sim;

import io.baton.spi.Loop;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A loop of one process, with time under the control of a test. Any thread may submit tasks; they run on the test's
 * thread.
 */
public final class VirtualLoop implements Loop {

    private record Waiting(long at, long number, Runnable task) {}

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Waiting> timers =
            new PriorityQueue<>(Comparator.comparingLong(Waiting::at).thenComparingLong(Waiting::number));
    private long elapsed;
    private long number;
    private long sleptMillis;
    private boolean closed;

    /** Rejects further tasks. */
    public void close() {
        closed = true;
    }

    /** Suspends the machine: only the wall clock advances. */
    public void sleep(Duration time) {
        sleptMillis += time.toMillis();
    }

    /** Runs all tasks that are due. */
    public void run() {
        for (Runnable task = next(); task != null; task = next()) {
            task.run();
        }
    }

    /** Runs at most this many tasks. */
    public void run(int tasks) {
        for (int i = 0; i < tasks; i++) {
            Runnable task = next();
            if (task == null) {
                return;
            }
            task.run();
        }
    }

    /** Freezes the process: time advances, and what becomes due runs later. */
    public void freeze(Duration time) {
        elapsed += time.toNanos();
    }

    /** Advances time, and runs everything at its moment. */
    public void pass(Duration time) {
        run();
        long end = elapsed + time.toNanos();
        for (Waiting first = timers.peek(); first != null && first.at <= end; first = timers.peek()) {
            elapsed = Math.max(elapsed, first.at);
            run();
        }
        elapsed = end;
    }

    /** The number of pending timers. */
    public int timers() {
        return timers.size();
    }

    /** The time passed, in milliseconds. */
    public long elapsedMillis() {
        return elapsed / 1_000_000;
    }

    @Override
    public long nanoTime() {
        return Long.MAX_VALUE - Duration.ofSeconds(15).toNanos() + elapsed;
    }

    @Override
    public long wallMillis() {
        return 1_800_000_000_000L + elapsed / 1_000_000 + sleptMillis;
    }

    @Override
    public long randomLong() {
        return 4 + number++;
    }

    @Override
    public void execute(Runnable task) {
        if (closed) {
            throw new RejectedExecutionException();
        }
        tasks.add(task);
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        Waiting waiting = new Waiting(elapsed + delay.toNanos(), number++, task);
        timers.add(waiting);
        return () -> timers.remove(waiting);
    }

    private @Nullable Runnable next() {
        Waiting due = timers.peek();
        if (tasks.isEmpty() && due != null && due.at <= elapsed) {
            timers.remove(due);
            return due.task;
        }
        return tasks.poll();
    }
}
