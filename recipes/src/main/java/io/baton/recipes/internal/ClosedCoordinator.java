package io.baton.recipes.internal;

import io.baton.Subscription;
import io.baton.recipe.RecipeContext;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** What becomes of a caller's wait when the coordinator is closed: it fails. */
final class ClosedCoordinator {

    private ClosedCoordinator() {}

    /** Runs the task on the loop, or fails the wait if the loop has ended. Any thread. */
    static void onLoop(RecipeContext context, CompletableFuture<?> wait, Runnable task) {
        if (!context.loop().post(task)) {
            wait.completeExceptionally(RecipeContext.closedException());
        }
    }

    /**
     * Fails the wait when the coordinator closes. On the loop.
     *
     * @return ends that
     */
    static Subscription fails(RecipeContext context, Consumer<Throwable> wait) {
        return context.beforeClosing(() -> {
            wait.accept(RecipeContext.closedException());
            return CompletableFuture.completedFuture(null);
        });
    }
}
