package io.baton.spi;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * One owner thread with its clocks, timers and randomness; everything that a session or a recipe knows of time and
 * chance comes from here, so that a simulator can stand in.
 *
 * <p>Tasks run one at a time, in the order of {@link #execute}; a timer's task runs like any other task.
 */
public interface Loop extends Executor {

    /** The monotonic clock in nanoseconds, as {@link System#nanoTime()}: only differences mean something. Any thread. */
    long nanoTime();

    /** The wall clock in milliseconds since 1970. Used to tell people a time and to <em>shorten</em> deadlines. Any thread. */
    long wallMillis();

    /** 64 unpredictable bits. */
    long randomLong();

    /** Runs the task on this loop once the delay has passed, unless cancelled before. Any thread. */
    Timer after(Duration delay, Runnable task);

    /** A task that waits for its time. */
    interface Timer {
        /** Keeps the task from running; without effect once it has started. */
        void cancel();
    }
}
