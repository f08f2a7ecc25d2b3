package io.baton.election.internal.term;

import io.baton.election.AsyncElectionListener;
import io.baton.recipe.Callbacks;
import io.baton.recipe.Futures;
import io.baton.recipe.UnprintableException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Work without a thread of its own, started on a callback thread. */
public final class AsyncWork implements LeaderWork {

    private final AsyncElectionListener listener;
    private final Callbacks callbacks;

    public AsyncWork(AsyncElectionListener listener, Callbacks callbacks) {
        this.listener = listener;
        this.callbacks = callbacks;
    }

    @Override
    public Work begin(Term term, Consumer<@Nullable Throwable> stopped) {
        boolean runs =
                callbacks.run(() -> Futures.onDone(lead(term), (done, failure) -> stopped.accept(reason(failure))));
        if (!runs) {
            stopped.accept(new IllegalStateException("there is no thread for callbacks any more"));
        }
        return Optional::empty;
    }

    @Override
    public boolean runBeside(Runnable task) {
        return callbacks.runUrgently(task);
    }

    private static @Nullable Throwable reason(@Nullable Throwable failure) {
        return failure == null ? null : UnprintableException.printable(Futures.cause(failure));
    }

    private CompletionStage<?> lead(Term term) {
        try {
            return term.isActive()
                    ? Objects.requireNonNull(listener.onElected(term), "onElected has returned null instead of a stage")
                    : CompletableFuture.completedStage(null);
        } catch (Throwable thrown) {
            return CompletableFuture.failedStage(thrown);
        }
    }
}
