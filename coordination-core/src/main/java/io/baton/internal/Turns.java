package io.baton.internal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Asks for many things, of which only so many are under way at once. On the loop. */
final class Turns<A, B> {

    private final List<A> all;
    private final Function<A, CompletableFuture<B>> ask;
    private final List<B> answers;
    private final CompletableFuture<List<B>> result = new CompletableFuture<>();
    private int asked;
    private int answered;

    private Turns(List<A> all, Function<A, CompletableFuture<B>> ask) {
        this.all = all;
        this.ask = ask;
        this.answers = new ArrayList<>(Collections.nCopies(all.size(), null));
    }

    /** The answers in the order of the questions; fails with the first failure, after which nothing more is asked. */
    static <A, B> CompletableFuture<List<B>> all(List<A> all, int atOnce, Function<A, CompletableFuture<B>> ask) {
        if (all.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        var turns = new Turns<A, B>(List.copyOf(all), ask);
        for (int i = 0; i < Math.min(atOnce, all.size()); i++) {
            turns.next();
        }
        return turns.result;
    }

    private void next() {
        if (asked == all.size() || result.isDone()) {
            return;
        }
        int mine = asked++;
        Waits.onDone(ask.apply(all.get(mine)), (answer, failure) -> {
            if (failure != null) {
                result.completeExceptionally(Waits.cause(failure));
                return;
            }
            answers.set(mine, answer);
            if (++answered == all.size()) {
                result.complete(List.copyOf(answers));
            } else {
                next();
            }
        });
    }
}
