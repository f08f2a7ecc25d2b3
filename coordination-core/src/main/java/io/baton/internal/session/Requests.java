package io.baton.internal.session;

import io.baton.CoordinationException;
import io.baton.OutcomeUnknownException;
import io.baton.StoreUnavailableException;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.Texts;
import io.baton.spi.Loop;
import io.baton.spi.Session;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Requests to the present session, each with a deadline. A request waits while there is no session. On the loop, except
 * {@link #send}.
 */
public final class Requests implements SessionScoped {

    private static final int MAX_UNDER_WAY = 10_000;

    /** How much longer a write may take in its session, which says whether it was sent. */
    private static final Duration MOMENT = Duration.ofMillis(100);

    private final ClientLoop loop;
    private final Duration timeout;
    private final Set<Request<?>> underWay = new LinkedHashSet<>();
    private final AtomicInteger count = new AtomicInteger();
    private @Nullable Session session;
    private boolean closed;

    public Requests(ClientLoop loop, Duration timeout) {
        this.loop = loop;
        this.timeout = timeout;
    }

    /**
     * Sends a request that changes nothing. Any thread.
     *
     * @param what for messages, such as {@code a read of config/limit}
     * @return completes on the loop
     */
    public <T> CompletableFuture<T> send(String what, Function<Session, CompletionStage<T>> call) {
        return send(new Request<>(what, false, (session, within) -> call.apply(session)));
    }

    /**
     * Sends a write, which may have had an effect if it is unanswered. Any thread.
     *
     * @param what for messages, such as {@code a write of config/limit}
     * @param call sends it so that the session sends nothing more of it once the given time is over
     * @return completes on the loop
     */
    public <T> CompletableFuture<T> sendWrite(String what, BiFunction<Session, Duration, CompletionStage<T>> call) {
        return send(new Request<>(what, true, call));
    }

    private <T> CompletableFuture<T> send(Request<T> request) {
        if (count.incrementAndGet() > MAX_UNDER_WAY) {
            count.decrementAndGet();
            request.result.completeExceptionally(new StoreUnavailableException(
                    MAX_UNDER_WAY + " requests are under way already; " + request.what + " was not sent"));
        } else if (!loop.post(() -> begin(request))) {
            count.decrementAndGet();
            request.result.completeExceptionally(RecipeContext.closedException());
        }
        return request.result;
    }

    private void begin(Request<?> request) {
        underWay.add(request);
        if (closed) {
            request.fail(RecipeContext.closedException());
            return;
        }
        request.begun = loop.nanoTime();
        request.timer = loop.after(timeout, request::due);
        if (session != null) {
            request.sendTo(session, timeout);
        }
    }

    @Override
    public void connected(Session now) {
        session = now;
        long time = loop.nanoTime();
        List.copyOf(underWay).forEach(each -> each.sendTo(now, timeout.minusNanos(time - each.begun)));
    }

    /** The session itself fails the requests that were sent in it. */
    @Override
    public void lost() {
        session = null;
    }

    /** Fails all requests, and those that come later. */
    @Override
    public void close() {
        closed = true;
        List.copyOf(underWay).forEach(Request::abandon);
    }

    private final class Request<T> {

        private final String what;
        private final boolean writes;
        private final BiFunction<Session, Duration, CompletionStage<T>> call;
        private final CompletableFuture<T> result = new CompletableFuture<>();
        private Loop.@Nullable Timer timer;
        private long begun;
        private boolean sent;

        Request(String what, boolean writes, BiFunction<Session, Duration, CompletionStage<T>> call) {
            this.what = what;
            this.writes = writes;
            this.call = call;
        }

        void sendTo(Session to, Duration within) {
            if (sent || within.isNegative()) {
                return; // what has no time left fails now
            }
            sent = true;
            CompletionStage<T> answer;
            try {
                answer = call.apply(to, within);
            } catch (Throwable refused) {
                fail(refused);
                return;
            }
            Futures.onDone(answer, (value, failure) -> {
                if (failure != null) {
                    fail(Futures.cause(failure));
                } else if (done()) {
                    result.complete(value);
                }
            });
        }

        /** The session of a write ends it at the same time. */
        void due() {
            if (sent && writes) {
                timer = loop.after(MOMENT, this::late);
            } else {
                late();
            }
        }

        private void late() {
            String message = what + " was not answered within " + Texts.of(timeout);
            fail(sent && writes ? new OutcomeUnknownException(message) : new StoreUnavailableException(message));
        }

        void abandon() {
            CoordinationException closing = RecipeContext.closedException();
            fail(sent && writes ? new OutcomeUnknownException("the coordinator was closed during " + what) : closing);
        }

        void fail(Throwable failure) {
            if (done()) {
                result.completeExceptionally(failure);
            }
        }

        private boolean done() {
            if (!underWay.remove(this)) {
                return false;
            }
            count.decrementAndGet();
            if (timer != null) {
                timer.cancel();
            }
            return true;
        }
    }
}
