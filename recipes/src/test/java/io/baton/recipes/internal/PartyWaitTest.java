package io.baton.recipes.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.recipe.Callbacks;
import io.baton.recipe.RecipeContext;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** A party's future, with a callback thread that is busy until the test says otherwise. */
class PartyWaitTest {

    private final Queue<Runnable> callbacks = new ArrayDeque<>();
    private final List<String> abandoned = new ArrayList<>();
    private final CompletableFuture<String> outcome = new CompletableFuture<>();
    private final CompletableFuture<String> users = begin();

    private CompletableFuture<String> begin() {
        Callbacks threads =
                Stub.of(Callbacks.class, Map.of("runReliably", given -> callbacks.add((Runnable) given[0])));
        RecipeContext context = Stub.of(RecipeContext.class, Map.of("callbacks", given -> threads));
        return new PartyWait<>(context, outcome, why -> {}, abandoned::add).async();
    }

    private void runCallbacks() {
        callbacks.forEach(Runnable::run);
    }

    @Test
    void async_outcomeIsDelivered_nothingIsAbandoned() {
        outcome.complete("entered");
        runCallbacks();

        assertThat(users).isCompletedWithValue("entered");
        assertThat(abandoned).isEmpty();
    }

    @Test
    void async_timeOverBeforeTheOutcome_isAbandoned() {
        users.completeExceptionally(new TimeoutException());

        assertThat(abandoned).containsExactly("it was cancelled");
    }

    /** Otherwise its caller would never leave, and the others would wait for it. */
    @Test
    void async_timeOverWhileTheOutcomeWaitsForAThread_isAbandoned() {
        outcome.complete("entered");
        users.completeExceptionally(new TimeoutException());
        runCallbacks();

        assertThat(abandoned).containsExactly("it was cancelled");
    }

    @Test
    void async_fails_saysSo() {
        outcome.completeExceptionally(new IllegalStateException("no"));
        runCallbacks();

        assertThat(users).isCompletedExceptionally();
        assertThat(abandoned).isEmpty();
    }
}
