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

/** Something that is tried until it is decided, or the time for it is up, or the coordinator is closed. On the loop. */
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

    /** What is tried. */
    public interface Attempt {

        /** Once more. */
        void begin();

        /** What is being written, if it is not known whether it was; empty if nothing was. */
        String unknown();

        /** Why the time is up, if it is for another reason than the store or others who write; null if not. */
        default @Nullable ConfigException tooLate() {
            return null;
        }
    }

    /** Whether what is wrong may be better next time. */
    public static boolean isTransient(Throwable failure) {
        return failure instanceof StoreUnavailableException || uncertain(failure);
    }

    /** Whether a write that failed so may have been applied. */
    public static boolean uncertain(Throwable failure) {
        return failure instanceof OutcomeUnknownException || failure instanceof SessionLostException;
    }

    /** Begins; any thread. Who completes the future before this does has it try no more. */
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

    /** Does this after a while, which is longer each time and never the same. */
    public void retryLater(Runnable next) {
        store.loop().after(store.loop().jittered(pause), () -> {
            if (!isDone()) {
                next.run();
            }
        });
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    }

    /** After a failure: does this after a while, unless it would fail again. */
    public void failed(Attempt attempt, Throwable failure, Runnable next) {
        Throwable cause = Futures.cause(failure);
        last = cause;
        if (store.isClosed()) {
            giveUp(attempt, CLOSED);
        } else if (isTransient(cause)) {
            retryLater(next);
        } else if (attempt.unknown().isEmpty()) {
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
        if (!attempt.unknown().isEmpty()) {
            fail(new OutcomeUnknownException(message(attempt, when), last));
        } else {
            String why = last == null ? "others write all the time" : String.valueOf(last.getMessage());
            fail(new StoreUnavailableException(
                    "nothing was written to " + store.tree() + " " + when + ": " + why, last));
        }
    }

    private String message(Attempt attempt, String when) {
        return "whether " + attempt.unknown() + " of " + store.tree() + " was written could not be found out " + when;
    }
}
