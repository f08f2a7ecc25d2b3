package io.baton.recipe;

import io.baton.Subscription;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Delivers messages to one listener, one at a time and in order, on the callback threads. Pending messages are merged,
 * so that a slow listener's queue stays bounded. What a listener throws is logged, and it stays registered. Any thread.
 */
public final class ListenerQueue<T> implements Subscription {

    /** Merges a message into the pending ones and keeps their number bounded. Runs under a lock: no user code here. */
    public interface Merge<T> {
        /** Adds the next message to the pending ones. */
        void add(Deque<T> pending, T next);

        /** Keeps the newest message only. */
        static <T> Merge<T> newest() {
            return (pending, next) -> {
                pending.clear();
                pending.add(next);
            };
        }
    }

    /** Takes messages. */
    public interface Taker<T> {
        /**
         * Takes a message. It may return a continuation, which runs on the same thread if no other message is pending,
         * and otherwise on another callback thread. The next message does not wait for its end.
         */
        @Nullable
        Runnable take(T message);

        /**
         * Returns whether it can take a message now; if so, it gets one. If not, messages stay pending until {@link
         * ListenerQueue#resume}. Runs under a lock: no user code here.
         */
        default boolean ready() {
            return true;
        }
    }

    private final Callbacks callbacks;
    private final ListenerGuard guard;
    private final Taker<T> taker;
    private final Merge<T> merge;
    private final Predicate<T> urgent;
    private final Deque<T> pending = new ArrayDeque<>();
    // Whether a drain is scheduled; and whether one is running.
    private boolean asked;
    private boolean running;
    private boolean closed;

    /**
     * Creates a queue for a listener.
     *
     * @param of the source of the messages, for people
     */
    public ListenerQueue(Callbacks callbacks, Object of, Consumer<T> listener, Merge<T> merge) {
        this(callbacks, new ListenerGuard(listener, of), listener, merge, message -> false);
    }

    /**
     * Creates a queue for a listener with this guard. Messages that are {@code urgent} do not wait for a thread behind
     * other listeners.
     */
    public ListenerQueue(
            Callbacks callbacks, ListenerGuard guard, Consumer<T> listener, Merge<T> merge, Predicate<T> urgent) {
        this(
                callbacks,
                guard,
                merge,
                message -> {
                    listener.accept(message);
                    return null;
                },
                urgent);
    }

    private ListenerQueue(
            Callbacks callbacks, ListenerGuard guard, Merge<T> merge, Taker<T> taker, Predicate<T> urgent) {
        this.callbacks = callbacks;
        this.guard = guard;
        this.taker = taker;
        this.merge = merge;
        this.urgent = urgent;
    }

    /** Creates a queue for a taker that may return continuations. */
    public static <T> ListenerQueue<T> withContinuations(Callbacks callbacks, Taker<T> taker, Merge<T> merge) {
        return new ListenerQueue<>(
                callbacks, new ListenerGuard(taker, "what is handed on"), merge, taker, message -> false);
    }

    /** Adds a message, to be delivered on a callback thread. */
    public void offer(T message) {
        offer(message, false);
    }

    /** As {@link #offer}, also after the end of Baton's own threads: for a message that no other follows then. */
    public void offerReliably(T message) {
        offer(message, true);
    }

    private void offer(T message, boolean reliably) {
        boolean hurry = urgent.test(message);
        synchronized (pending) {
            if (closed) {
                return;
            }
            merge.add(pending, message);
            // The scheduled drain may wait for threads that other listeners block.
            if (running || pending.isEmpty() || (asked && !hurry)) {
                return;
            }
            asked = true;
        }
        if (!schedule(hurry) && reliably) {
            callbacks.runReliably(this::drain);
        }
    }

    /** Delivers pending messages if the taker is ready by now. */
    public void resume() {
        synchronized (pending) {
            if (running || asked || pending.isEmpty()) {
                return;
            }
            asked = true;
        }
        schedule(false);
    }

    private boolean schedule(boolean hurry) {
        boolean comes = hurry ? callbacks.runUrgently(this::drain) : callbacks.run(this::drain);
        if (!comes) {
            // The next message schedules again and delivers this one, too.
            synchronized (pending) {
                asked = false;
            }
        }
        return comes;
    }

    @Override
    public void close() {
        synchronized (pending) {
            closed = true;
            pending.clear();
        }
    }

    private void drain() {
        synchronized (pending) {
            asked = false;
            if (running || pending.isEmpty()) {
                return;
            }
            running = true;
        }
        Runnable rest = null;
        for (T message = next(); message != null; message = next()) {
            if (rest != null) {
                callbacks.runReliably(rest);
            }
            rest = take(message);
        }
        if (rest != null) {
            rest.run();
        }
    }

    private @Nullable Runnable take(T message) {
        try {
            return taker.take(message);
        } catch (Throwable broken) {
            guard.threw(broken);
            return null;
        }
    }

    private @Nullable T next() {
        synchronized (pending) {
            boolean takes = !callbacks.abandoned() && !pending.isEmpty() && taker.ready();
            T message = takes ? pending.poll() : null;
            running = message != null;
            return message;
        }
    }
}
