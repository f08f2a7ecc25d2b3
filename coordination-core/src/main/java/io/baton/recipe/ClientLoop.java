package io.baton.recipe;

import io.baton.spi.Loop;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;

/** The coordinator's loop, for callers who may come too late: a closed loop says so instead of throwing. Any thread. */
public final class ClientLoop {

    private static final Loop.Timer NEVER = () -> {};

    private final Loop loop;

    /** The loop for such callers. */
    public ClientLoop(Loop loop) {
        this.loop = loop;
    }

    /** The loop itself, for the store. */
    public Loop raw() {
        return loop;
    }

    /** The loop's monotonic clock. */
    public long nanoTime() {
        return loop.nanoTime();
    }

    /** The wall clock in milliseconds since 1970. */
    public long wallMillis() {
        return loop.wallMillis();
    }

    /** 64 unpredictable bits. */
    public long randomLong() {
        return loop.randomLong();
    }

    /** A duration between once and twice this one, at random. */
    public Duration jittered(Duration atLeast) {
        return atLeast.plusNanos(Math.floorMod(loop.randomLong(), atLeast.toNanos() + 1));
    }

    /** Runs the task on the loop; false if the loop is closed and the task will not run. */
    public boolean post(Runnable task) {
        try {
            loop.execute(task);
            return true;
        } catch (RejectedExecutionException closed) {
            return false;
        }
    }

    /** Runs the task on the loop later; never, if the loop is closed. */
    public Loop.Timer after(Duration delay, Runnable task) {
        try {
            return loop.after(delay, task);
        } catch (RejectedExecutionException closed) {
            return NEVER;
        }
    }
}
