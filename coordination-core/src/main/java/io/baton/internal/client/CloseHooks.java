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

/** What is to be brought to an end before the coordinator gives back its holds. On the loop, except {@link #add}. */
final class CloseHooks {

    private final ClientLoop loop;
    private final Set<Supplier<CompletionStage<Void>>> all = new LinkedHashSet<>();
    private boolean begun;

    CloseHooks(ClientLoop loop) {
        this.loop = loop;
    }

    /** Adds one; if closing has begun, it is asked to end at once. Any thread. */
    Subscription add(Supplier<CompletionStage<Void>> drain) {
        loop.post(() -> {
            all.add(drain);
            if (begun) {
                var unused = drain.get();
            }
        });
        return () -> loop.post(() -> all.remove(drain));
    }

    /** Asks all to end, and then goes on; also when they take longer than this. */
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
