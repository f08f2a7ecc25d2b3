package io.baton.election.internal.standby;

import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where a node's hooks, fencer and health checks run: not on the loop. */
public interface HookExecutor {

    /** Something of the user's. */
    @FunctionalInterface
    interface Task {
        /** Does it. */
        void run() throws Exception;
    }

    /** A task that goes on. Any thread. */
    interface Job {

        /** Asks it to return. */
        void interrupt();

        /** Where it runs. */
        Optional<Thread> thread();
    }

    /**
     * Begins a task.
     *
     * @param done told once, on the loop and never before this returns; with what it threw, if it did
     */
    Job begin(String name, Task task, Consumer<@Nullable Throwable> done);

    /**
     * Begins what nobody waits for.
     *
     * @return whether it will run; if not, there is no thread to be had at the moment
     */
    boolean leave(String name, Runnable task);
}
