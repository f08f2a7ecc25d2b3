package io.baton.testkit.sim;

import io.baton.spi.Loop;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** A loop of one process whose time a test moves. Tasks may come from any thread, and run on the test's. */
public final class VirtualLoop implements Loop {

    private record Waiting(long at, long number, Runnable task) {}

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Waiting> timers =
            new PriorityQueue<>(Comparator.comparingLong(Waiting::at).thenComparingLong(Waiting::number));
    private long elapsed;
    private long number;
    private long sleptMillis;
    private boolean closed;

    /** Takes nothing more. */
    public void close() {
        closed = true;
    }

    /** The machine sleeps: only the wall clock goes on. */
    public void sleep(Duration time) {
        sleptMillis += time.toMillis();
    }

    /** Runs whatever is due. */
    public void run() {
        for (Runnable task = next(); task != null; task = next()) {
            task.run();
        }
    }

    /** Runs so many tasks at most. */
    public void run(int tasks) {
        for (int i = 0; i < tasks; i++) {
            Runnable task = next();
            if (task == null) {
                return;
            }
            task.run();
        }
    }

    /** The process is frozen for so long: what was due meanwhile is still to run. */
    public void freeze(Duration time) {
        elapsed += time.toNanos();
    }

    /** Lets time pass, with everything running at its moment. */
    public void pass(Duration time) {
        run();
        long end = elapsed + time.toNanos();
        for (Waiting first = timers.peek(); first != null && first.at <= end; first = timers.peek()) {
            elapsed = Math.max(elapsed, first.at);
            run();
        }
        elapsed = end;
    }

    /** How many timers wait. */
    public int timers() {
        return timers.size();
    }

    /** How much time has passed, in milliseconds. */
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
