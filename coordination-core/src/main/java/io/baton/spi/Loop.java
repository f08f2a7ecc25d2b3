package io.baton.spi;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * One owner at a time with his clocks, timers and randomness; everything that a session or a recipe knows of time and
 * chance comes from here, so that a simulator can stand in.
 *
 * <p>Tasks run one at a time, in the order of {@link #execute} and {@link #deliver}, and each sees what those before it
 * did; a timer's task runs like any other task. They run on threads of ours only, never on a user's.
 */
public interface Loop extends Executor {

    /**
     * As {@link #execute}, from a thread that a store owns and that has nothing better to do, such as the one on which
     * its client library tells of replies: if the loop is idle, the task may run here, before this returns.
     */
    default void deliver(Runnable task) {
        execute(task);
    }

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
