package io.baton.recipes.internal;

import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * How a caller waits for what becomes of a party: for as long as it takes, for a time, or without waiting. Any thread.
 *
 * @param outcome completes on the loop
 * @param goes called with the reason if the time is over; the caller still gets the outcome
 * @param abandons called with the reason if the caller was interrupted or has cancelled, and never gets the outcome
 */
public record PartyWait<T>(
        RecipeContext context, CompletableFuture<T> outcome, Consumer<String> goes, Consumer<String> abandons) {

    /** Throws unless this is a time that a party can wait for. */
    public static void check(Duration timeout) {
        if (timeout.isZero() || timeout.isNegative()) {
            throw new IllegalArgumentException("a party has to wait for some time, not for " + timeout);
        }
    }

    public T await() throws InterruptedException {
        try {
            return Futures.interruptibly(outcome);
        } catch (InterruptedException interrupted) {
            abandons.accept("it was interrupted");
            throw interrupted;
        }
    }

    public T await(Duration timeout) throws InterruptedException {
        if (!Futures.awaitDone(timeout, outcome) && !Thread.currentThread().isInterrupted()) {
            goes.accept("its time to wait was over");
        }
        return await();
    }

    /** The future completes on a callback thread. */
    public CompletableFuture<T> async() {
        CompletableFuture<T> users = new CompletableFuture<>();
        // However the caller completes it (cancel, orTimeout, ...), also while the outcome is on its way to it.
        Futures.onDone(users, (value, failure) -> {
            if (!outcome.isDone()) {
                abandon();
            }
        });
        Futures.onDone(
                outcome,
                (value, failure) -> context.callbacks().runReliably(() -> {
                    if (failure != null) {
                        users.completeExceptionally(Futures.cause(failure));
                    } else if (!users.complete(value)) {
                        abandon();
                    }
                }));
        return users;
    }

    private void abandon() {
        abandons.accept("it was cancelled");
    }
}
