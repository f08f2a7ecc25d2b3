package io.baton.internal.client;

import io.baton.Subscription;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Hooks that end work before the coordinator releases its holds. On the loop, except {@link #add}. */
final class CloseHooks {

    private final ClientLoop loop;
    private final Set<Supplier<CompletionStage<Void>>> all = new LinkedHashSet<>();
    private boolean begun;

    CloseHooks(ClientLoop loop) {
        this.loop = loop;
    }

    /**
     * Adds a hook; if closing has begun, it runs at once. So it does here if the loop has been closed, as happens to what
     * had been posted just before. Any thread.
     */
    Subscription add(Supplier<CompletionStage<Void>> drain) {
        boolean posted = loop.post(() -> {
            all.add(drain);
            if (begun) {
                var unused = drain.get();
            }
        });
        if (!posted) {
            var unused = drain.get();
        }
        return () -> loop.post(() -> all.remove(drain));
    }

    /** Runs all hooks, and goes on once their work has ended, or after this time. */
    void drain(Duration atMost, Runnable then) {
        begun = true;
        CompletableFuture<?>[] ends = List.copyOf(all).stream()
                .map(each -> each.get().toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture<Void> ended = CompletableFuture.allOf(ends);
        if (ended.isDone()) {
            then.run();
            return;
        }
        boolean[] over = {false};
        Runnable once = () -> {
            if (!over[0]) {
                over[0] = true;
                then.run();
            }
        };
        Loop.Timer late = loop.after(atMost, once);
        Futures.onDone(
                ended,
                (done, failure) -> loop.post(() -> {
                    late.cancel();
                    once.run();
                }));
    }
}
