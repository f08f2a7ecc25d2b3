package io.baton.election.internal.term;

import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A way to run a leader's work: on a thread of its own, or without one. */
public interface LeaderWork {

    /**
     * Starts the work for this term, on another thread.
     *
     * @param stopped called once, on any thread, when the work has stopped, with the exception if it threw one
     */
    Work begin(Term term, Consumer<@Nullable Throwable> stopped);

    /**
     * Runs a task on a thread that hanging work does not block.
     *
     * @return whether it will run; if not, no thread is available at the moment
     */
    boolean runBeside(Runnable task);

    /** Returns whether users' code is running at this moment, which may have to be stopped. */
    default boolean isRunning() {
        return true;
    }

    /** Running work. Any thread. */
    interface Work {

        /** Returns its thread, if it has one. */
        Optional<Thread> thread();

        /** Handles the end of the hold, after which no timer may come any more: the loop may end as well. On the loop. */
        default void holdEnded() {}
    }
}
