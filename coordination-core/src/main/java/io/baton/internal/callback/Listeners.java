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
 * Those who want to know a state. Each is told the present one first; a slow one is told the newest only, except that
 * a state which must be told (a loss) is never passed over, and does not wait for others' listeners.
 */
public final class Listeners<S> {

    private final ClientLoop loop;
    private final Callbacks callbacks;
    private final Object of;
    private final Predicate<S> mustBeTold;
    private final Set<Listener> listeners = new LinkedHashSet<>();

    /**
     * Nobody listens.
     *
     * @param of whose state it is, for people
     */
    public Listeners(ClientLoop loop, Callbacks callbacks, Object of, Predicate<S> mustBeTold) {
        this.loop = loop;
        this.callbacks = callbacks;
        this.of = of;
        this.mustBeTold = mustBeTold;
    }

    /** Registers, and tells what {@code present} says. Any thread. */
    public Subscription add(Consumer<S> listener, Supplier<S> present) {
        return add(listener, listener, present);
    }

    /**
     * The same.
     *
     * @param named the user's code that the listener calls
     */
    public Subscription add(Object named, Consumer<S> listener, Supplier<S> present) {
        Listener added = new Listener(new ListenerGuard(named, of), listener);
        boolean open = loop.post(() -> {
            listeners.add(added);
            added.offer(present.get());
        });
        if (!open) {
            added.offer(present.get());
        }
        return () -> {
            added.delivery.close();
            loop.post(() -> listeners.remove(added));
        };
    }

    /** Tells everybody, on the loop. */
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
        // Two memories: what the loop has offered, and what the callback threads have delivered.
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

        void offer(S state) {
            if (!state.equals(offered)) {
                offered = state;
                delivery.offer(state);
            }
        }
    }
}
