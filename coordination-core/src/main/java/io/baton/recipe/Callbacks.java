package io.baton.recipe;

import java.util.concurrent.CompletableFuture;

/** Where users' code runs: Baton's own threads, or the user's executor. Any thread. */
public interface Callbacks {

    /** Whether the calling thread is inside a callback, where waiting for the store would hold up others. */
    static boolean inside() {
        return CallbackScope.isInside();
    }

    /** Runs this in the calling thread, which is inside a callback meanwhile. */
    static void within(Runnable task) {
        CallbackScope.run(task);
    }

    /**
     * Runs a user's code; false if Baton's own threads have ended, or there is no thread to be had anywhere. What the code
     * throws is logged.
     */
    boolean run(Runnable task);

    /** The same for a loss, or a request to stop: on threads that no other callback can block. */
    boolean runUrgently(Runnable task);

    /** Runs what must not be dropped, even if it comes after the end of Baton's own threads. */
    void runReliably(Runnable task);

    /** Whether listeners are not to be called any more, because they have been waited for long enough. */
    boolean abandoned();

    /** What the loop decides, as a future for users, who may hang code of theirs on it. */
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
