package io.baton.config.internal.active;

import io.baton.Subscription;
import io.baton.config.ConfigEvent;
import io.baton.recipe.Callbacks;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.ListenerQueue;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Sends events to operators' listeners, in one order. A slow listener misses the oldest of more than 1,000. Any thread.
 */
public final class Events implements Consumer<ConfigEvent> {

    private static final int MOST = 1_000;

    private final ClientLoop loop;
    private final Callbacks callbacks;
    private final List<ListenerQueue<ConfigEvent>> all = new CopyOnWriteArrayList<>();

    public Events(ClientLoop loop, Callbacks callbacks) {
        this.loop = loop;
        this.callbacks = callbacks;
    }

    public Subscription add(Consumer<ConfigEvent> listener) {
        ListenerQueue<ConfigEvent> added =
                new ListenerQueue<>(callbacks, "events of a configuration", listener, Events::queue);
        all.add(added);
        return () -> {
            added.close();
            all.remove(added);
        };
    }

    /** Events are in the order in which they reach the loop. */
    @Override
    public void accept(ConfigEvent event) {
        loop.post(() -> all.forEach(each -> each.offer(event)));
    }

    public void close() {
        all.forEach(ListenerQueue::close);
        all.clear();
    }

    private static void queue(Deque<ConfigEvent> pending, ConfigEvent next) {
        if (pending.size() >= MOST) {
            pending.removeFirst();
        }
        pending.add(next);
    }
}
