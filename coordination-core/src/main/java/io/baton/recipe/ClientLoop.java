package io.baton.recipe;

import io.baton.spi.Loop;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;

/** The coordinator's loop. Its methods do not throw if the loop is closed. Any thread. */
public final class ClientLoop {

    private static final Loop.Timer NEVER = () -> {};

    private final Loop loop;

    /** Wraps the loop. */
    public ClientLoop(Loop loop) {
        this.loop = loop;
    }

    /** Returns the loop itself, for the store. */
    public Loop raw() {
        return loop;
    }

    /** Returns the time of the loop's monotonic clock in nanoseconds. */
    public long nanoTime() {
        return loop.nanoTime();
    }

    /** Returns the time of the wall clock in milliseconds since 1970. */
    public long wallMillis() {
        return loop.wallMillis();
    }

    /** Returns 64 unpredictable bits. */
    public long randomLong() {
        return loop.randomLong();
    }

    /** Returns a random duration between once and twice this one. */
    public Duration jittered(Duration atLeast) {
        return atLeast.plusNanos(Math.floorMod(loop.randomLong(), atLeast.toNanos() + 1));
    }

    /** Runs the task on the loop. Returns false if the loop is closed and the task will not run. */
    public boolean post(Runnable task) {
        try {
            loop.execute(task);
            return true;
        } catch (RejectedExecutionException closed) {
            return false;
        }
    }

    /** Runs the task on the loop after this delay, or never if the loop is closed. */
    public Loop.Timer after(Duration delay, Runnable task) {
        try {
            return loop.after(delay, task);
        } catch (RejectedExecutionException closed) {
            return NEVER;
        }
    }
}
