package io.baton.recipe;

import io.baton.Subscription;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Hands messages to one listener, one at a time and in order, on the callback threads. What a slow listener has not
 * taken yet is merged, so that it stays bounded. A listener that throws is logged and stays. Any thread.
 */
public final class ListenerQueue<T> implements Subscription {

    /** How a message joins those that wait; must keep their number bounded. Runs under a lock: no user code here. */
    public interface Merge<T> {
        /** Adds the next to what waits. */
        void add(Deque<T> pending, T next);
    }

    /** Takes messages. */
    public interface Taker<T> {
        /**
         * Takes one; what it returns, if anything, is run next, by the same thread if no other message waits, and nobody waits
         * for its end. So it costs no change of threads to hand something on.
         */
        @Nullable
        Runnable take(T message);

        /**
         * Whether it takes one now, and then it is given one. If not, all waits until {@link ListenerQueue#resume}. Runs under a lock:
         * no user code here.
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
    // Whether a thread is to come; and whether one is there.
    private boolean asked;
    private boolean running;
    private boolean closed;

    /**
     * Nothing has been delivered yet.
     *
     * @param of what the listener is told of, for people
     */
    public ListenerQueue(Callbacks callbacks, Object of, Consumer<T> listener, Merge<T> merge) {
        this(callbacks, new ListenerGuard(listener, of), listener, merge, message -> false);
    }

    /**
     * The same to a listener of another name, where messages that are {@code urgent} do not wait for a thread behind other
     * listeners.
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

    /** The same to one who hands something on. */
    public static <T> ListenerQueue<T> withContinuations(Callbacks callbacks, Taker<T> taker, Merge<T> merge) {
        return new ListenerQueue<>(
                callbacks, new ListenerGuard(taker, "what is handed on"), merge, taker, message -> false);
    }

    /** Delivers later, on a callback thread. */
    public void offer(T message) {
        boolean hurry = urgent.test(message);
        synchronized (pending) {
            if (closed) {
                return;
            }
            merge.add(pending, message);
            // The thread that was asked for may be one of those that other listeners block.
            if (running || pending.isEmpty() || (asked && !hurry)) {
                return;
            }
            asked = true;
        }
        schedule(hurry);
    }

    /** What waits is taken, as the taker may be ready by now. */
    public void resume() {
        synchronized (pending) {
            if (running || asked || pending.isEmpty()) {
                return;
            }
            asked = true;
        }
        schedule(false);
    }

    private void schedule(boolean hurry) {
        boolean comes = hurry ? callbacks.runUrgently(this::drain) : callbacks.run(this::drain);
        if (!comes) {
            // The next message tries again, and finds this one waiting.
            synchronized (pending) {
                asked = false;
            }
        }
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
