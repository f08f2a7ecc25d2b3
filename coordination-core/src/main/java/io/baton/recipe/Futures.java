package io.baton.recipe;

import io.baton.CoordinationException;
import io.baton.CoordinatorClosedException;
import io.baton.IncompatibleOptionsException;
import io.baton.LockLostException;
import io.baton.OutcomeUnknownException;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.TooManyWaitersException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits for futures that the loop completes, and handles their outcomes on the loop. */
public final class Futures {

    private static final Logger log = LoggerFactory.getLogger(Futures.class);

    private Futures() {}

    /** Waits for the future. A failure is thrown as {@link #rethrowable}, so that its stack trace shows the caller. */
    public static <T> T interruptibly(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException failed) {
            throw rethrowable(failed);
        }
    }

    /** As {@link #interruptibly}, but an interrupt does not end the wait, and is kept. */
    public static <T> T uninterruptibly(CompletableFuture<T> future) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return interruptibly(future);
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits until the future is done, but no longer than this. An interrupt ends the wait, and is kept. */
    public static boolean awaitDone(Duration limit, CompletableFuture<?> future) {
        try {
            future.get(TimeUnit.NANOSECONDS.convert(limit), TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException done) {
            return true;
        } catch (TimeoutException notYet) {
            return false;
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Calls the supplier on the loop. The returned future also fails if the supplier throws, or the loop is closed. */
    public static <T> CompletableFuture<T> callOnLoop(ClientLoop loop, Supplier<CompletableFuture<T>> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        boolean open = loop.post(() -> call(question, answer));
        if (!open) {
            answer.completeExceptionally(RecipeContext.closedException());
        }
        return answer;
    }

    private static <T> void call(Supplier<CompletableFuture<T>> question, CompletableFuture<T> answer) {
        try {
            passOn(question.get(), answer);
        } catch (Throwable refused) {
            answer.completeExceptionally(refused);
        }
    }

    /** Completes the future as the stage, with its unwrapped failure. */
    public static <T> void passOn(CompletionStage<T> stage, CompletableFuture<T> to) {
        onDone(stage, (value, failure) -> {
            if (failure == null) {
                to.complete(value);
            } else {
                to.completeExceptionally(cause(failure));
            }
        });
    }

    /** Runs the action once the stage is done. What the action throws would be lost in the stage, so it is logged. */
    public static <T> void onDone(CompletionStage<T> stage, BiConsumer<? super T, ? super @Nullable Throwable> action) {
        var unused = stage.whenComplete((value, failure) -> {
            try {
                action.accept(value, failure);
            } catch (Throwable broken) {
                log.error("A completion failed; this is a defect of Baton, please report it", broken);
            }
        });
    }

    /** Returns the failure without the exceptions in which futures wrap it. */
    public static Throwable cause(Throwable failure) {
        boolean wrapped = failure instanceof CompletionException || failure instanceof ExecutionException;
        return wrapped && failure.getCause() != null ? cause(failure.getCause()) : failure;
    }

    /**
     * Returns whether this unwrapped failure is one of contact, after which a retry may succeed: the store was out of
     * reach, the outcome is unknown, or the session has ended, be it with the coordinator. A refusal of the store is
     * none.
     */
    public static boolean isTransient(Throwable failure) {
        return failure instanceof StoreUnavailableException
                || failure instanceof OutcomeUnknownException
                || failure instanceof SessionLostException;
    }

    /** Returns the unwrapped failure as a {@link CoordinationException}, wrapping any other exception. */
    public static CoordinationException toCoordinationException(Throwable failure) {
        Throwable cause = cause(failure);
        return cause instanceof CoordinationException known
                ? known
                : new CoordinationException("the store failed: " + cause, cause);
    }

    /** Returns a copy of the unwrapped failure with the caller's stack trace and the original as its cause. */
    public static RuntimeException rethrowable(Throwable failure) {
        Throwable cause = cause(failure);
        String message = String.valueOf(cause.getMessage());
        if (cause instanceof CoordinatorClosedException) {
            return new CoordinatorClosedException(message, cause);
        }
        if (cause instanceof SessionLostException) {
            return new SessionLostException(message, cause);
        }
        if (cause instanceof StoreUnavailableException) {
            return new StoreUnavailableException(message, cause);
        }
        if (cause instanceof OutcomeUnknownException) {
            return new OutcomeUnknownException(message, cause);
        }
        if (cause instanceof LockLostException) {
            return new LockLostException(message, cause);
        }
        if (cause instanceof IncompatibleOptionsException) {
            return new IncompatibleOptionsException(message, cause);
        }
        if (cause instanceof TooManyWaitersException) {
            return new TooManyWaitersException(message, cause);
        }
        if (cause instanceof RecordConflictException) {
            return new RecordConflictException(message, cause);
        }
        if (cause instanceof IllegalArgumentException) {
            return new IllegalArgumentException(message, cause);
        }
        return new CoordinationException(message, cause);
    }
}
