package io.baton.internal.client;

import io.baton.Coordinator;
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
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hooks that end work before the coordinator releases its holds. On the loop, except {@link #add}. */
final class CloseHooks {

    private static final Logger log = LoggerFactory.getLogger(Coordinator.class);

    private final ClientLoop loop;
    /** The client's own hook, which runs first. */
    private final Supplier<CompletionStage<Void>> own;

    private final Set<Supplier<CompletionStage<Void>>> all = new LinkedHashSet<>();
    private boolean begun;

    CloseHooks(ClientLoop loop, Supplier<CompletionStage<Void>> own) {
        this.loop = loop;
        this.own = own;
    }

    /**
     * Adds a hook; if closing has begun, it runs at once. So it does here if the loop has been closed, as happens to what
     * had been posted just before. Any thread.
     */
    Subscription add(Supplier<CompletionStage<Void>> drain) {
        boolean posted = loop.post(() -> {
            all.add(drain);
            if (begun) {
                var unused = run(drain);
            }
        });
        if (!posted) {
            var unused = run(drain);
        }
        return () -> loop.post(() -> all.remove(drain));
    }

    /** Runs all hooks, and goes on once their work has ended or failed, or after this time. */
    void drain(Duration atMost, Runnable then) {
        begun = true;
        CompletableFuture<?>[] ends = Stream.concat(Stream.of(own), List.copyOf(all).stream())
                .map(CloseHooks::run)
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

    /** Begins a hook's work. A hook that throws has failed, and neither stops others nor the end of the session. */
    private static CompletableFuture<Void> run(Supplier<CompletionStage<Void>> hook) {
        try {
            return hook.get().toCompletableFuture();
        } catch (Throwable broken) {
            log.error("A close hook failed", broken);
            return CompletableFuture.failedFuture(broken);
        }
    }
}
