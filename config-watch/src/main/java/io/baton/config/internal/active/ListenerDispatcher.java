package io.baton.config.internal.active;

import io.baton.Subscription;
import io.baton.config.ConfigEvent;
import io.baton.config.ListenerOptions;
import io.baton.recipe.Callbacks;
import io.baton.recipe.ClientLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells one listener, one thing at a time and in order, on the callback threads. What fails is tried again, later, and as long as
 * it is tried nothing else is told; when that is given up, it becomes part of what is told next. So the listener never misses
 * what has become of a key. Any thread.
 */
public final class ListenerDispatcher<D extends Delta<D>> implements Subscription, ActiveConfig.Telling {

    /** How many wait in order; beyond that they are told as one. */
    static final int MOST = 1_000;

    private static final Logger log = LoggerFactory.getLogger(ListenerDispatcher.class);

    private final Means means;
    private final ListenerOptions options;
    private final Consumer<D> listener;
    private final SlowWatch slow;
    private final Object lock = new Object();
    private final Deque<D> pending = new ArrayDeque<>();
    private @Nullable D missed;
    private boolean busy = true;
    private boolean closed;

    /** What it works with. */
    public record Means(ClientLoop loop, Callbacks callbacks, Consumer<ConfigEvent> events) {}

    /** For this listener; it is told nothing before {@link #start}. */
    ListenerDispatcher(Means means, ListenerOptions options, Consumer<D> listener) {
        this.means = means;
        this.options = options;
        this.listener = listener;
        this.slow = new SlowWatch(means.loop(), options.slowAfter(), this::warn);
    }

    /** Begins with this, unless it had something to tell before. */
    void start() {
        work();
    }

    /** To be told after what waits; {@link ActiveConfig.Telling#NONE} if somebody is telling already. */
    ActiveConfig.Telling offer(D next) {
        synchronized (lock) {
            if (closed) {
                return NONE;
            }
            add(next);
            if (busy || pending.isEmpty()) {
                return NONE;
            }
            busy = true;
        }
        return this;
    }

    @Override
    public void runHere() {
        drain();
    }

    @Override
    public void runOnCallbacks() {
        work();
    }

    /** Before the start: to be told first, instead of what was to be told first until now. */
    void first(D only) {
        synchronized (lock) {
            pending.clear();
            pending.add(only);
        }
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            pending.clear();
            missed = null;
        }
    }

    private void add(D next) {
        if (pending.size() >= (options.latestOnly() ? 1 : MOST)) {
            D all = pending.removeFirst();
            while (!pending.isEmpty()) {
                all = all.then(pending.removeFirst());
            }
            D merged = all.then(next);
            if (!merged.isNothing()) {
                pending.add(merged);
            }
        } else {
            pending.add(next);
        }
    }

    private void work() {
        if (!means.callbacks().run(this::drain)) {
            // Nobody runs it; the next one that is offered tries again, and finds this one waiting.
            synchronized (lock) {
                busy = false;
            }
        }
    }

    private void drain() {
        D next = next();
        while (next != null && deliver(next, 1)) {
            next = next();
        }
    }

    private void deliverAgain(D same, int attempt) {
        if (!isOpen() || deliver(same, attempt)) {
            drain();
        }
    }

    private boolean isOpen() {
        synchronized (lock) {
            return !closed;
        }
    }

    private @Nullable D next() {
        synchronized (lock) {
            for (D next = pending.poll(); next != null; next = pending.poll()) {
                D all = missed == null ? next : missed.then(next);
                missed = null;
                if (!all.isNothing()) {
                    return all;
                }
            }
            busy = false;
            return null;
        }
    }

    /** False if it is to be tried again later. */
    private boolean deliver(D what, int attempt) {
        slow.begin();
        try {
            listener.accept(what);
            return true;
        } catch (Throwable failed) {
            return failed(what, attempt, failed);
        } finally {
            slow.end();
        }
    }

    private boolean failed(D what, int attempt, Throwable failure) {
        if (attempt < options.attempts()) {
            Duration pause = options.pause().multipliedBy(1L << Math.min(attempt - 1, 20));
            log.info("Listener {} failed and is told again in {} ms", options.name(), pause.toMillis(), failure);
            var unused = means.loop().after(pause, () -> retry(what, attempt + 1));
            return false;
        }
        log.warn(
                "Listener {} failed {} times; it is told again with the next change", options.name(), attempt, failure);
        synchronized (lock) {
            missed = closed ? null : what;
        }
        means.events().accept(new ConfigEvent.FailedListener(options.name(), String.valueOf(failure)));
        return true;
    }

    private void retry(D what, int attempt) {
        if (!means.callbacks().run(() -> deliverAgain(what, attempt))) {
            log.debug("Listener {} is not told again: the coordinator is closed", options.name());
        }
    }

    private void warn(Duration runningFor) {
        log.warn("Listener {} has been running for {} ms", options.name(), runningFor.toMillis());
        means.events().accept(new ConfigEvent.SlowListener(options.name(), runningFor));
    }
}
