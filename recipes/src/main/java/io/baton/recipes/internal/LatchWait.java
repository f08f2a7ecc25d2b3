package io.baton.recipes.internal;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.RecordKey;
import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.recipe.RecipeContext;
import io.baton.recipes.internal.RecordChange.Step;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One wait for a latch. It stands in the round that it reads first, and ends once that round or a later one has been
 * released. The record keeps the last round that was, so a wait that saw nothing of a release and the reset after it
 * ends as well.
 *
 * <p>The first read is one of its own: an observation may begin with a state from before this wait, and so with a round
 * that is over. States that are observed later may be older than what was read, and do no harm: the last released round
 * only rises. On the loop, except where a method says otherwise.
 */
public final class LatchWait {

    private final RecipeContext context;
    private final RecordKey key;
    private final CompletableFuture<Boolean> outcome = new CompletableFuture<>();
    private boolean read;
    private Subscription following = () -> {};
    private Subscription closing = () -> {};

    private LatchWait(RecipeContext context, RecordKey key) {
        this.context = context;
        this.key = key;
    }

    /** Begins to wait. Any thread. */
    public static LatchWait begin(RecipeContext context, RecordKey key) {
        var wait = new LatchWait(context, key);
        wait.onLoop(wait::start);
        return wait;
    }

    /** Completes on the loop: true once released, false if given up. */
    public CompletableFuture<Boolean> outcome() {
        return outcome;
    }

    /** Ends the wait: its time is over. The outcome is a failure if the store was not reached in it. Any thread. */
    public void timeOver() {
        onLoop(() -> {
            if (read || context.inContact()) {
                end(false);
            } else {
                fail(new StoreUnavailableException("the store was not reached in the time to wait for " + key));
            }
        });
    }

    /** Ends the wait. Any thread. */
    public void giveUp() {
        onLoop(() -> end(false));
    }

    private void onLoop(Runnable task) {
        ClosedCoordinator.onLoop(context, outcome, task);
    }

    private void start() {
        closing = ClosedCoordinator.fails(context, this::fail);
        look();
    }

    private void look() {
        RecordChange.beginFor(
                outcome, context, key, now -> new Step.Keep<>(LatchRecord.of(now)), this::follow, this::fail);
    }

    private void follow(LatchRecord latch) {
        long standsIn = latch.round();
        read = true;
        if (latch.released() >= standsIn) {
            end(true);
        } else {
            following = context.records().observe(key, now -> changed(now, standsIn));
        }
    }

    private void changed(Optional<Item> now, long standsIn) {
        try {
            if (LatchRecord.of(now).released() >= standsIn) {
                end(true);
            }
        } catch (CoordinationException foreign) {
            fail(foreign);
        }
    }

    private void end(boolean released) {
        outcome.complete(released);
        cleanUp();
    }

    private void fail(Throwable why) {
        outcome.completeExceptionally(why);
        cleanUp();
    }

    private void cleanUp() {
        following.close();
        closing.close();
    }
}
