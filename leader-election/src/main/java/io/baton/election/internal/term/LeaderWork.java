package io.baton.election.internal.term;

import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How a leader's work is done: on a thread of its own, or without one. */
public interface LeaderWork {

    /**
     * Begins the work for this term, elsewhere.
     *
     * @param stopped told once, on any thread, when it has stopped; with what it threw, if it did
     */
    Work begin(Term term, Consumer<@Nullable Throwable> stopped);

    /**
     * Runs something else where this work, if it hangs, does not hold it up.
     *
     * @return whether it will run; if not, there is no thread to be had at the moment
     */
    boolean runBeside(Runnable task);

    /** Whether something of the user's runs at this moment, which may have to be made to stop. */
    default boolean isRunning() {
        return true;
    }

    /** Work that goes on. Any thread. */
    interface Work {

        /** Where it runs, if it has a thread. */
        Optional<Thread> thread();
    }
}
