package io.baton.internal.session;

import io.baton.recipe.Futures;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Makes many calls, with a limited number under way at once. On the loop. */
public final class BoundedCalls<A, B> {

    private final List<A> all;
    private final int atOnce;
    private final Function<A, CompletableFuture<B>> ask;
    private final List<B> answers;
    private final CompletableFuture<List<B>> result = new CompletableFuture<>();
    private int asked;
    private int answered;
    private boolean asking;

    private BoundedCalls(List<A> all, int atOnce, Function<A, CompletableFuture<B>> ask) {
        this.all = all;
        this.atOnce = atOnce;
        this.ask = ask;
        this.answers = new ArrayList<>(Collections.nCopies(all.size(), null));
    }

    /** Returns the answers in the order of the elements; fails with the first failure, after which no call begins. */
    public static <A, B> CompletableFuture<List<B>> all(
            List<A> all, int atOnce, Function<A, CompletableFuture<B>> ask) {
        if (all.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        var turns = new BoundedCalls<A, B>(List.copyOf(all), atOnce, ask);
        turns.askMore();
        return turns.result;
    }

    /** Begins calls in a loop, as answers may be there at once: nested calls would be as deep as the list is long. */
    private void askMore() {
        if (asking) {
            return;
        }
        asking = true;
        while (asked < all.size() && asked - answered < atOnce && !result.isDone()) {
            ask(asked++);
        }
        asking = false;
    }

    private void ask(int mine) {
        Futures.onDone(ask.apply(all.get(mine)), (answer, failure) -> {
            if (failure != null) {
                result.completeExceptionally(Futures.cause(failure));
                return;
            }
            answers.set(mine, answer);
            if (++answered == all.size()) {
                result.complete(List.copyOf(answers));
            } else {
                askMore();
            }
        });
    }
}
