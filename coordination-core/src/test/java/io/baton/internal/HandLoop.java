package io.baton.internal;

import io.baton.spi.Loop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * A loop driven by hand: nothing runs, and no time passes, unless the test says so. Starts shortly before the monotonic
 * clock overflows, since that clock's value means nothing.
 */
public final class HandLoop implements Loop {

    private static final int MANY = 1_000_000;

    private record Waiting(long at, long number, Runnable task) {}

    /** One machine's clocks; several loops may live by them. */
    private static final class Clocks {
        long elapsed;
        long wallJumpMillis;
    }

    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final PriorityQueue<Waiting> timers = new PriorityQueue<>(
            Comparator.<Waiting>comparingLong(waiting -> waiting.at).thenComparingLong(waiting -> waiting.number));
    private final Random random = new Random(1);
    private final Clocks clocks;
    private long number;

    public HandLoop() {
        this(new Clocks());
    }

    private HandLoop(Clocks clocks) {
        this.clocks = clocks;
    }

    /** Another loop by the same clocks: it stands still while this one lets time pass. */
    public HandLoop beside() {
        return new HandLoop(clocks);
    }

    @Override
    public long nanoTime() {
        return Long.MAX_VALUE - Duration.ofSeconds(15).toNanos() + clocks.elapsed;
    }

    @Override
    public long wallMillis() {
        return 1_800_000_000_000L + clocks.elapsed / 1_000_000 + clocks.wallJumpMillis;
    }

    @Override
    public long randomLong() {
        return random.nextLong();
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        Waiting waiting = new Waiting(clocks.elapsed + delay.toNanos(), number++, task);
        timers.add(waiting);
        return () -> timers.remove(waiting);
    }

    /** Runs what is due, and what comes of it. */
    public void run() {
        int steps = 0;
        for (Runnable task = next(); task != null; task = next()) {
            task.run();
            steps++;
            if (steps > MANY) {
                throw new AssertionError("no end of tasks at one moment");
            }
        }
    }

    /** Lets time pass, with everything running at its moment. */
    public void pass(Duration time) {
        run();
        long end = clocks.elapsed + time.toNanos();
        int steps = 0;
        for (Waiting first = timers.peek(); first != null && first.at <= end; first = timers.peek()) {
            clocks.elapsed = Math.max(clocks.elapsed, first.at);
            run();
            steps++;
            if (steps > MANY) {
                throw new AssertionError("no end of timers");
            }
        }
        clocks.elapsed = end;
    }

    /** Lets time pass while this process is frozen: what was due meanwhile is due now, but has not run. */
    public void freeze(Duration time) {
        clocks.elapsed += time.toNanos();
    }

    /** Moves the wall clock alone, as when a suspended machine wakes up. */
    public void jumpWall(Duration by) {
        clocks.wallJumpMillis += by.toMillis();
    }

    public int timers() {
        return timers.size();
    }

    private Runnable next() {
        Waiting due = timers.peek();
        if (tasks.isEmpty() && due != null && due.at <= clocks.elapsed) {
            timers.remove(due);
            return due.task;
        }
        return tasks.poll();
    }
}
