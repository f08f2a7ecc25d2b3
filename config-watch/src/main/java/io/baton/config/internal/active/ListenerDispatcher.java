package io.baton.config.internal.active;

import io.baton.Subscription;
import io.baton.config.ConfigEvent;
import io.baton.config.ListenerOptions;
import io.baton.recipe.Callbacks;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.UnprintableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls one listener, one call at a time and in order, on the callback threads. A failed call is repeated later, and
 * other calls wait until then. After the last attempt its change is merged into the next call, so the listener never
 * misses a change of a key. Any thread.
 */
public final class ListenerDispatcher<D extends Delta<D>> implements Subscription, ActiveConfig.Telling {

    /** How many changes wait in order; beyond that they are merged. */
    static final int MOST = 1_000;

    private static final int MOST_DOUBLED = 20;

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

    /** What it depends on. */
    public record Means(ClientLoop loop, Callbacks callbacks, Consumer<ConfigEvent> events) {}

    /** Creates one for this listener, which is not called before {@link #start}. */
    ListenerDispatcher(Means means, ListenerOptions options, Consumer<D> listener) {
        this.means = means;
        this.options = options;
        this.listener = listener;
        this.slow = new SlowWatch(means.loop(), options.slowAfter(), this::warn);
    }

    /** Starts to call the listener. */
    void start() {
        work();
    }

    /**
     * Adds a change behind those that wait. Returns {@link ActiveConfig.Telling#NONE} if the listener is being called
     * already.
     */
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

    /** Sets the first call, before the start; replaces an earlier one. */
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
            // No thread runs it; the next offer tries again and finds this one waiting.
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

    /** Returns false if another attempt follows later. */
    private boolean deliver(D what, int attempt) {
        try {
            slow.begin();
            listener.accept(what);
            return true;
        } catch (Throwable failed) {
            return failed(what, attempt, UnprintableException.printable(failed));
        } finally {
            slow.end();
        }
    }

    private boolean failed(D what, int attempt, Throwable failure) {
        if (attempt < options.attempts()) {
            Duration pause = pauseAfter(attempt);
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

    /** A pause that is longer than clocks can count never ends. */
    private Duration pauseAfter(int attempt) {
        int doubled = Math.min(attempt - 1, MOST_DOUBLED);
        long nanos = Math.min(TimeUnit.NANOSECONDS.convert(options.pause()), Long.MAX_VALUE >> doubled);
        return Duration.ofNanos(nanos << doubled);
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
