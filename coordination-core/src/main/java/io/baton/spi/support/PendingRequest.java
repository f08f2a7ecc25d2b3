package io.baton.spi.support;

import io.baton.CoordinationException;
import io.baton.OutcomeUnknownException;
import io.baton.StoreUnavailableException;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A question to the store that ends in bounded time: answered, failed, timed out, or ended with its session. Once a
 * write has been handed to the wire, not knowing its outcome is told as such.
 */
public final class PendingRequest<T> {

    private final String what;
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private final Set<PendingRequest<?>> open;
    private final Loop.Timer limit;
    private boolean writing;

    /** Asks within this time; {@code open} holds those that are under way, for the session's end. */
    public PendingRequest(String what, Duration within, Loop loop, Set<PendingRequest<?>> open) {
        this.what = what;
        this.open = open;
        open.add(this);
        limit = loop.after(within, () -> broken("no answer within " + within.toMillis() + " ms", null));
    }

    /** What the owner waits for. */
    public CompletableFuture<T> answer() {
        return answer;
    }

    /** What was asked for, for people. */
    public String what() {
        return what;
    }

    /** Whether it waits for its answer. */
    public boolean isPending() {
        return !answer.isDone();
    }

    /** Answered by this value, unless getting it fails. */
    public void answer(Supplier<T> value) {
        try {
            complete(value.get());
        } catch (CoordinationException failed) {
            fail(failed);
        }
    }

    /** Failed. */
    public void fail(CoordinationException why) {
        close();
        answer.completeExceptionally(why);
    }

    /** Answered. */
    public void complete(T value) {
        close();
        answer.complete(value);
    }

    /** From now on the outcome is in doubt until answered. */
    public void writing() {
        writing = true;
    }

    /** A failed attempt of the write had no effect. */
    public void notWritten() {
        writing = false;
    }

    /** The contact broke, or the time is up. */
    public void broken(String how, @Nullable Throwable cause) {
        fail(
                writing
                        ? new OutcomeUnknownException(what + ": " + how + "; it may have been applied", cause)
                        : new StoreUnavailableException(what + ": " + how + "; nothing was applied", cause));
    }

    /** The session is over. */
    public void sessionLost(CoordinationException why) {
        if (writing) {
            broken("the session ended", why);
        } else {
            fail(why);
        }
    }

    private void close() {
        limit.cancel();
        open.remove(this);
    }
}
