package io.baton.recipes.internal;

import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.Resource;
import io.baton.recipes.GroupView;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One wait for a number of members. On the loop, except where a method says otherwise. */
public final class SizeWait {

    private final RecipeContext context;
    private final Resource group;
    private final int size;
    private final CompletableFuture<Optional<GroupView>> outcome = new CompletableFuture<>();
    private Subscription observing = () -> {};
    private Subscription closing = () -> {};

    private SizeWait(RecipeContext context, Resource group, int size) {
        this.context = context;
        this.group = group;
        this.size = size;
    }

    /** Begins to wait. Any thread. */
    public static SizeWait begin(RecipeContext context, Resource group, int size) {
        var wait = new SizeWait(context, group, size);
        wait.onLoop(wait::start);
        return wait;
    }

    /** Completes on the loop, with the members; empty if given up. */
    public CompletableFuture<Optional<GroupView>> outcome() {
        return outcome;
    }

    /** Ends the wait: its time is over. The outcome is a failure if the store is out of reach. Any thread. */
    public void timeOver() {
        onLoop(() -> {
            if (context.inContact()) {
                end(Optional.empty());
            } else {
                fail(new StoreUnavailableException("the store was not reached in the time to wait for " + group));
            }
        });
    }

    /** Ends the wait. Any thread. */
    public void giveUp() {
        onLoop(() -> end(Optional.empty()));
    }

    private void onLoop(Runnable task) {
        ClosedCoordinator.onLoop(context, outcome, task);
    }

    private void start() {
        closing = ClosedCoordinator.fails(context, this::fail);
        observing = GroupMembers.observe(context, group, this::changed);
        cleanUpIfDone();
    }

    private void changed(GroupView view) {
        if (view.current() && view.members().size() >= size) {
            end(Optional.of(view));
        }
    }

    private void end(Optional<GroupView> view) {
        outcome.complete(view);
        cleanUpIfDone();
    }

    private void fail(Throwable why) {
        outcome.completeExceptionally(why);
        cleanUpIfDone();
    }

    private void cleanUpIfDone() {
        if (outcome.isDone()) {
            observing.close();
            closing.close();
        }
    }
}
