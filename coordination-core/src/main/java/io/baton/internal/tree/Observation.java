package io.baton.internal.tree;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.RecordsListener;
import io.baton.internal.session.SessionBound;
import io.baton.recipe.Callbacks;
import io.baton.recipe.ListenerGuard;
import io.baton.recipe.ListenerQueue;
import io.baton.spi.Session;
import io.baton.spi.TreeListener;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One listener of records under a prefix. It keeps the present records itself, so that a listener too far behind gets
 * one snapshot instead of a growing queue. On the loop, except {@link #mute}.
 */
public final class Observation implements SessionBound {

    static final int MAX_PENDING = 1_000;

    private final String prefix;
    private final ListenerQueue<Consumer<RecordsListener>> delivery;
    private final Map<String, Item> present = new TreeMap<>();
    private Position at = new Position("", 0);
    private final FollowedTree followed;

    public Observation(String tree, String prefix, RecordsListener listener, Callbacks callbacks) {
        this.followed = new FollowedTree(tree, new Present());
        this.prefix = prefix;
        this.delivery = new ListenerQueue<>(
                callbacks,
                new ListenerGuard(listener, "the records in " + tree + "/" + prefix),
                news -> news.accept(listener),
                this::queue,
                news -> false);
    }

    @Override
    public void begin(Session session) {
        followed.follow(session);
    }

    @Override
    public void stop() {
        mute();
        followed.stop();
    }

    @Override
    public void lost() {
        followed.cutOff();
    }

    /** Ends the calls of the listener. Any thread. */
    public void mute() {
        delivery.close();
    }

    private void queue(Deque<Consumer<RecordsListener>> pending, Consumer<RecordsListener> next) {
        if (next instanceof Snapshot) {
            pending.clear();
            pending.add(next);
        } else if (pending.size() < MAX_PENDING) {
            pending.add(next);
        } else {
            pending.clear();
            pending.add(new Snapshot(present, at));
        }
    }

    private boolean concerns(RecordKey key) {
        return key.name().startsWith(prefix);
    }

    private final class Present implements TreeListener {

        @Override
        public void snapshot(List<Item> all, Position position) {
            at = position;
            present.clear();
            all.stream()
                    .filter(item -> concerns(item.key()))
                    .forEach(item -> present.put(item.key().name(), item));
            delivery.offer(new Snapshot(present, at));
        }

        @Override
        public void changed(List<Item> put, List<RecordKey> gone, long revision) {
            at = new Position(at.history(), revision);
            List<Item> mine = put.stream().filter(item -> concerns(item.key())).toList();
            List<String> gones = new ArrayList<>();
            gone.stream().filter(Observation.this::concerns).forEach(key -> gones.add(key.name()));
            mine.forEach(item -> present.put(item.key().name(), item));
            present.keySet().removeAll(gones);
            if (!mine.isEmpty() || !gones.isEmpty()) {
                delivery.offer(listener -> listener.changed(mine, List.copyOf(gones), revision));
            }
        }
    }

    /** All records, as they were when this was made. */
    private static final class Snapshot implements Consumer<RecordsListener> {

        private final Map<String, Item> all;
        private final Position at;

        Snapshot(Map<String, Item> present, Position at) {
            this.all = Collections.unmodifiableMap(new TreeMap<>(present));
            this.at = at;
        }

        @Override
        public void accept(RecordsListener listener) {
            listener.snapshot(all, at);
        }
    }
}
