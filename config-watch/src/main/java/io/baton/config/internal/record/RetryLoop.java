package io.baton.config.internal.record;

import io.baton.OutcomeUnknownException;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.config.ConfigException;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Retries an attempt until it is decided, its time is over, or the coordinator closes. On the loop. */
public final class RetryLoop<T> {

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(100);

    private static final String CLOSED = "before the coordinator was closed";

    private final ConfigSpace store;
    private final Duration timeout;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private Duration pause = SHORTEST_PAUSE;
    private @Nullable Throwable last;

    public RetryLoop(ConfigSpace store, Duration timeout) {
        this.store = store;
        this.timeout = timeout;
    }

    /** The attempt. */
    public interface Attempt {

        /** Tries once more. */
        void begin();

        /** Returns the write whose outcome is unknown; empty if there is none. */
        String unknown();

        /** Returns what is written though the attempt has not ended, as the beginning of a sentence; empty if nothing. */
        default String written() {
            return "";
        }

        /** Returns why the time is over, if not because of the store or other writers; otherwise null. */
        default @Nullable ConfigException tooLate() {
            return null;
        }
    }

    /** Returns whether a write with this failure may have been applied. */
    public static boolean uncertain(Throwable failure) {
        return failure instanceof OutcomeUnknownException || failure instanceof SessionLostException;
    }

    /** Starts; any thread. If the caller completes the future first, retries end. */
    public CompletableFuture<T> of(Attempt attempt) {
        boolean open = store.loop().post(() -> {
            Loop.Timer limit = store.loop().after(timeout, () -> late(attempt));
            Subscription closing = store.beforeClosing(() -> giveUp(attempt, CLOSED));
            Futures.onDone(result, (done, failure) -> {
                limit.cancel();
                closing.close();
            });
            attempt.begin();
        });
        if (!open) {
            fail(RecipeContext.closedException());
        }
        return result;
    }

    public boolean isDone() {
        return result.isDone();
    }

    public void complete(T value) {
        result.complete(value);
    }

    public void fail(Throwable why) {
        result.completeExceptionally(why);
    }

    /** Runs this after a pause with jitter, which grows each time. */
    public void retryLater(Runnable next) {
        store.loop().after(store.loop().jittered(pause), () -> {
            if (!isDone()) {
                next.run();
            }
        });
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    }

    /** Handles a failure: runs this after a pause if a retry may succeed. */
    public void failed(Attempt attempt, Throwable failure, Runnable next) {
        Throwable cause = Futures.cause(failure);
        last = cause;
        if (store.isClosed()) {
            giveUp(attempt, CLOSED);
        } else if (Futures.isTransient(cause)) {
            retryLater(next);
        } else if (hasWrittenNothing(attempt)) {
            fail(cause);
        } else {
            fail(new OutcomeUnknownException(message(attempt, "any more: " + cause.getMessage()), cause));
        }
    }

    private void late(Attempt attempt) {
        ConfigException why = attempt.tooLate();
        if (why != null) {
            fail(why);
        } else {
            giveUp(attempt, "within " + timeout.toMillis() + " ms");
        }
    }

    private void giveUp(Attempt attempt, String when) {
        if (!hasWrittenNothing(attempt)) {
            fail(new OutcomeUnknownException(message(attempt, when), last));
        } else {
            String why = last == null ? "others write all the time" : String.valueOf(last.getMessage());
            fail(new StoreUnavailableException(
                    "nothing was written to " + store.tree() + " " + when + ": " + why, last));
        }
    }

    private static boolean hasWrittenNothing(Attempt attempt) {
        return attempt.unknown().isEmpty() && attempt.written().isEmpty();
    }

    private String message(Attempt attempt, String when) {
        if (!attempt.written().isEmpty()) {
            return attempt.written() + " " + when;
        }
        return "whether " + attempt.unknown() + " of " + store.tree() + " was written could not be found out " + when;
    }
}
