package io.baton.election.internal.observe;

import io.baton.Subscription;
import io.baton.election.internal.line.ElectionLine;
import io.baton.recipe.ListenerQueue;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Who is notified of a state: of the present one, and then of each change, where callbacks run. On the loop, unless it
 * says otherwise.
 */
public final class StateListeners<S> {

    private final ElectionLine line;
    private final Object of;
    private final Supplier<S> present;
    private final Set<ListenerQueue<S>> listeners = new LinkedHashSet<>();

    /**
     * Nobody listens.
     *
     * @param of whose state it is, for people
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

    /** It is so now. */
    public void changed(S now) {
        listeners.forEach(each -> each.offer(now));
    }

    /** Nothing changes any more. */
    public void end() {
        listeners.clear();
    }
}
