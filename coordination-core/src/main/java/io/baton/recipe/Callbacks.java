package io.baton.recipe;

import java.util.concurrent.CompletableFuture;

/** Runs user code on Baton's own threads or on the user's executor. Any thread. */
public interface Callbacks {

    /** Returns whether the calling thread is inside a callback, where waiting for the store would delay others. */
    static boolean inside() {
        return CallbackScope.isInside();
    }

    /** Runs the task in the calling thread, which counts as inside a callback meanwhile. */
    static void within(Runnable task) {
        CallbackScope.run(task);
    }

    /**
     * Runs user code on a callback thread. What the code throws is logged.
     *
     * @return false if the task will not run: Baton's own threads have ended, or no thread is available
     */
    boolean run(Runnable task);

    /** As {@link #run}, for a loss or a request to stop. Baton's own pool has separate threads for these. */
    boolean runUrgently(Runnable task);

    /** As {@link #run}, for a task that must not be dropped. It runs even after the end of Baton's own threads. */
    void runReliably(Runnable task);

    /** Returns whether listeners must not be called any more, as closing has waited for them long enough. */
    boolean abandoned();

    /** Returns a future for users that completes on a callback thread with the outcome of this one. */
    default <T> CompletableFuture<T> completeInCallback(CompletableFuture<T> decided) {
        CompletableFuture<T> users = new CompletableFuture<>();
        Futures.onDone(
                decided,
                (value, failure) -> runReliably(() -> {
                    if (failure == null) {
                        users.complete(value);
                    } else {
                        users.completeExceptionally(Futures.cause(failure));
                    }
                }));
        return users;
    }
}
