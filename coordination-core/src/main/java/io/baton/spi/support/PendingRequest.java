package io.baton.spi.support;

import io.baton.CoordinationException;
import io.baton.OutcomeUnknownException;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request to the store that ends in bounded time: answered, failed, timed out, or ended with its session. Once a
 * write has been handed to the wire, a missing answer fails it with {@link OutcomeUnknownException}.
 */
public final class PendingRequest<T> {

    private final String what;
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private final Set<PendingRequest<?>> open;
    private final Loop.Timer limit;
    private boolean writing;

    /**
     * Starts a request with a time limit: what its caller gives it, and at most the session's timeout.
     *
     * @param open the requests under way, for the session's end
     */
    public PendingRequest(String what, Duration within, Duration timeout, Loop loop, Set<PendingRequest<?>> open) {
        this.what = what;
        this.open = open;
        open.add(this);
        Duration shorter = within.compareTo(timeout) < 0 ? within : timeout;
        limit = loop.after(shorter, () -> broken("no answer within " + DurationText.of(shorter), null));
    }

    /** Returns the future of the answer. */
    public CompletableFuture<T> answer() {
        return answer;
    }

    /** Returns what was requested, for people. */
    public String what() {
        return what;
    }

    /** Returns whether the request waits for its answer. */
    public boolean isPending() {
        return !answer.isDone();
    }

    /** Completes the request with this value, or fails it if computing the value throws. */
    public void answer(Supplier<T> value) {
        try {
            complete(value.get());
        } catch (CoordinationException failed) {
            fail(failed);
        }
    }

    /** Fails the request. */
    public void fail(CoordinationException why) {
        close();
        answer.completeExceptionally(why);
    }

    /** Completes the request. */
    public void complete(T value) {
        close();
        answer.complete(value);
    }

    /** From now on the outcome is unknown until answered. */
    public void writing() {
        writing = true;
    }

    /** A failed attempt of the write had no effect. */
    public void notWritten() {
        writing = false;
    }

    /** Fails the request, as the contact broke or the time is up. */
    public void broken(String how, @Nullable Throwable cause) {
        fail(
                writing
                        ? new OutcomeUnknownException(what + ": " + how + "; it may have been applied", cause)
                        : new StoreUnavailableException(what + ": " + how + "; nothing was applied", cause));
    }

    /** Fails the request, as the session has ended. */
    public void sessionLost(CoordinationException why) {
        if (writing) {
            broken("the session ended", why);
        } else {
            fail(
                    why instanceof SessionLostException
                            ? why
                            : new SessionLostException(String.valueOf(why.getMessage()), why));
        }
    }

    private void close() {
        limit.cancel();
        open.remove(this);
    }
}
