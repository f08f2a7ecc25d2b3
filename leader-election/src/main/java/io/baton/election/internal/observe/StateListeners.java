package io.baton.election.internal.observe;

import io.baton.Subscription;
import io.baton.election.internal.line.ElectionLine;
import io.baton.recipe.ListenerQueue;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Notifies listeners of the present state, and then of each change, on callback threads. On the loop, unless stated
 * otherwise.
 */
public final class StateListeners<S> {

    private final ElectionLine line;
    private final Object of;
    private final Supplier<S> present;
    private final Set<ListenerQueue<S>> listeners = new CopyOnWriteArraySet<>();

    /**
     * Creates it without listeners.
     *
     * @param of the owner of the state, for people
     * @param present the state at this moment; any thread
     */
    public StateListeners(ElectionLine line, Object of, Supplier<S> present) {
        this.line = line;
        this.of = of;
        this.present = present;
    }

    /** Notifies of the present state, and then of each change. Any thread. */
    public Subscription add(Consumer<S> listener) {
        ListenerQueue<S> added = new ListenerQueue<>(line.callbacks(), of, listener, LeaderTracker::queue);
        boolean open = line.loop().post(() -> {
            listeners.add(added);
            added.offer(present.get());
        });
        if (!open) {
            added.offer(present.get());
        }
        return () -> {
            added.close();
            line.loop().post(() -> listeners.remove(added));
        };
    }

    /** Notifies listeners of the new state, also after the end of Baton's own threads. Any thread. */
    public void changed(S now) {
        listeners.forEach(each -> each.offerReliably(now));
    }

    /** Ends notifications. */
    public void end() {
        listeners.clear();
    }
}
