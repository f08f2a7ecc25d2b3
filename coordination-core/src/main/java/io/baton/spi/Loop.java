package io.baton.spi;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * Runs tasks one at a time and provides clocks, timers and randomness. Sessions and recipes take all time and chance
 * from here, so that a simulator can replace it.
 *
 * <p>Tasks run in the order of {@link #execute} and {@link #deliver}, and each sees the effects of those before it. A
 * timer's task runs like any other task. Tasks run on threads of Baton or of a store's client, never on a user's.
 */
public interface Loop extends Executor {

    /**
     * As {@link #execute}, but on an idle loop the task may run in the calling thread before this returns. For threads
     * of a store that do nothing else meanwhile, such as the one on which its client library delivers replies.
     */
    default void deliver(Runnable task) {
        execute(task);
    }

    /** Returns nanoseconds of the monotonic clock, as {@link System#nanoTime()}: only differences count. Any thread. */
    long nanoTime();

    /** Returns the wall clock in milliseconds since 1970: to show times and <em>shorten</em> deadlines. Any thread. */
    long wallMillis();

    /** Returns 64 unpredictable bits. */
    long randomLong();

    /** Runs the task on this loop once the delay has passed, unless cancelled before. Any thread. */
    Timer after(Duration delay, Runnable task);

    /** A scheduled task. */
    interface Timer {
        /** Prevents the task from running; without effect once it has started. */
        void cancel();
    }
}
