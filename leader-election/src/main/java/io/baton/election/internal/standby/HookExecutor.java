package io.baton.election.internal.standby;

import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs a node's hooks, fencer and health checks, not on the loop. */
public interface HookExecutor {

    /** Users' code. */
    @FunctionalInterface
    interface Task {
        /** Runs it. */
        void run() throws Exception;
    }

    /** A running task. Any thread. */
    interface Job {

        /** Interrupts it. */
        void interrupt();

        /** Returns its thread. */
        Optional<Thread> thread();
    }

    /**
     * Starts a task.
     *
     * @param done called once, on the loop and never before this returns, with the exception if the task threw one
     * @param outlived called instead, on the task's thread, if the loop has ended
     */
    Job begin(String name, Task task, Consumer<@Nullable Throwable> done, Runnable outlived);

    /**
     * Starts a task without waiting for its end.
     *
     * @return whether it will run; if not, no thread is available at the moment
     */
    boolean leave(String name, Runnable task);
}
