package io.baton.internal.callback;

import io.baton.Subscription;
import io.baton.recipe.Callbacks;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.ListenerGuard;
import io.baton.recipe.ListenerQueue;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Listeners to a state. Each receives the present state first. A slow one receives the newest only. A state that must
 * be delivered (a loss) is never skipped, and does not wait for other listeners.
 */
public final class Listeners<S> {

    private final ClientLoop loop;
    private final Callbacks callbacks;
    private final Object of;
    private final Predicate<S> mustBeTold;
    private final Set<Listener> listeners = new LinkedHashSet<>();

    /**
     * Starts without listeners.
     *
     * @param of whose state it is, for people
     */
    public Listeners(ClientLoop loop, Callbacks callbacks, Object of, Predicate<S> mustBeTold) {
        this.loop = loop;
        this.callbacks = callbacks;
        this.of = of;
        this.mustBeTold = mustBeTold;
    }

    /** Adds a listener, and notifies it of the {@code present} state. Any thread. */
    public Subscription add(Consumer<S> listener, Supplier<S> present) {
        return add(listener, listener, present);
    }

    /**
     * Adds a listener, and notifies it of the {@code present} state. Any thread.
     *
     * @param named the user's code that the listener calls
     */
    public Subscription add(Object named, Consumer<S> listener, Supplier<S> present) {
        Listener added = new Listener(new ListenerGuard(named, of), listener);
        boolean open = loop.post(() -> {
            listeners.add(added);
            added.begin(present.get());
        });
        if (!open) {
            added.begin(present.get());
        }
        return () -> {
            added.delivery.close();
            loop.post(() -> listeners.remove(added));
        };
    }

    /** Notifies all listeners. On the loop. */
    public void publish(S state) {
        for (Listener listener : List.copyOf(listeners)) {
            listener.offer(state);
        }
    }

    private void merge(Deque<S> pending, S next) {
        S newest = pending.peekLast();
        if (newest != null && !mustBeTold.test(newest)) {
            pending.removeLast();
        }
        if (!next.equals(pending.peekLast())) {
            pending.addLast(next);
        }
    }

    private final class Listener {

        private final ListenerQueue<S> delivery;
        // The last state that the loop has offered, and the last that the callback threads have delivered.
        private Object offered = this;
        private Object delivered = this;

        Listener(ListenerGuard guard, Consumer<S> listener) {
            delivery = new ListenerQueue<>(
                    callbacks,
                    guard,
                    state -> {
                        boolean repeated = state.equals(delivered) && !mustBeTold.test(state);
                        delivered = state;
                        if (!repeated) {
                            listener.accept(state);
                        }
                    },
                    Listeners.this::merge,
                    mustBeTold);
        }

        /** Offers the first state, which is also the last one if the client has been closed. */
        void begin(S state) {
            offered = state;
            delivery.offerReliably(state);
        }

        void offer(S state) {
            if (!state.equals(offered)) {
                offered = state;
                delivery.offer(state);
            }
        }
    }
}
