package io.baton.election.internal.observe;

import io.baton.Subscription;
import io.baton.election.internal.line.ElectionLine;
import io.baton.recipe.ListenerQueue;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Notifies listeners of the present state, and then of each change, on callback threads. On the loop, unless stated
 * otherwise.
 */
public final class StateListeners<S> {

    private final ElectionLine line;
    private final Object of;
    private final Supplier<S> present;
    private final Set<Told> listeners = new CopyOnWriteArraySet<>();

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
        Told added = new Told(listener);
        onTheLoopOrHere(added::begin);
        return () -> {
            added.queue.close();
            onTheLoopOrHere(() -> listeners.remove(added));
        };
    }

    /** After the end of the loop, the state may still change once, on another thread. */
    private void onTheLoopOrHere(Runnable task) {
        if (!line.loop().post(task)) {
            task.run();
        }
    }

    /** Notifies listeners of the new state, also after the end of Baton's own threads. Any thread. */
    public void changed(S now) {
        listeners.forEach(each -> each.tell(now));
    }

    /** Ends notifications. */
    public void end() {
        listeners.clear();
    }

    /**
     * A listener, with the state that it was told last. The lock keeps the present state, with which it begins, and a
     * change on another thread in order. Any thread.
     */
    private final class Told {

        private final ListenerQueue<S> queue;
        private @Nullable S last;

        Told(Consumer<S> listener) {
            queue = new ListenerQueue<>(line.callbacks(), of, listener, LeaderTracker::queue);
        }

        synchronized void begin() {
            listeners.add(this);
            tell(present.get());
        }

        /** Does not repeat a state: the present one may be new, and about to be told to all. */
        synchronized void tell(S now) {
            if (!now.equals(last)) {
                last = now;
                queue.offerReliably(now);
            }
        }
    }
}
