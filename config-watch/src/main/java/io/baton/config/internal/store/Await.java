package io.baton.config.internal.store;

import io.baton.config.ConfigConflictException;
import io.baton.config.ConfigException;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Waits on a caller's thread for the loop's decision. */
public final class Await {

    private Await() {}

    /**
     * Waits until decided. A failure is thrown anew, so that its stack trace shows the caller. An interrupt cancels the
     * future.
     */
    public static <T> T decided(ClientLoop loop, CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException failed) {
            Throwable cause = Futures.cause(failed);
            if (cause instanceof ConfigConflictException) {
                throw withCause(new ConfigConflictException(String.valueOf(cause.getMessage())), cause);
            }
            if (cause instanceof ConfigException) {
                throw withCause(new ConfigException(String.valueOf(cause.getMessage())), cause);
            }
            return Futures.interruptibly(CompletableFuture.failedFuture(cause));
        } catch (InterruptedException unwanted) {
            loop.post(() -> future.cancel(false));
            throw unwanted;
        }
    }

    private static ConfigException withCause(ConfigException thrown, Throwable cause) {
        thrown.initCause(cause);
        return thrown;
    }
}
