package io.baton.internal;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.spi.Observer;
import io.baton.spi.Session;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One tree of records, observed for all who want to know of one of them. On the loop. */
final class TreeWatch {

    private final String tree;
    private final Set<RecordWatch> all = new LinkedHashSet<>();
    private final Map<RecordKey, Item> present = new HashMap<>();
    private boolean known;
    private @Nullable Following following;

    TreeWatch(String tree) {
        this.tree = tree;
    }

    void add(RecordWatch watch) {
        all.add(watch);
        if (known) {
            watch.present(present.get(watch.key()));
        }
    }

    /** Whether there is anybody left. */
    boolean remove(RecordWatch watch) {
        watch.end();
        all.remove(watch);
        return !all.isEmpty();
    }

    /** Observes in this session from now on. */
    void follow(Session session) {
        stop();
        Following next = new Following();
        following = next;
        next.end = session.observe(tree, next);
    }

    /** Ends the observation in the store. */
    void stop() {
        Following last = following;
        following = null;
        if (last != null) {
            last.end.run();
        }
    }

    /** The session has ended the observation. */
    void cutOff() {
        following = null;
    }

    private void tell() {
        known = true;
        List.copyOf(all).forEach(watch -> watch.present(present.get(watch.key())));
    }

    private final class Following implements Observer {

        private Runnable end = () -> {};

        @Override
        public void snapshot(List<Item> items, Position at) {
            if (following == this) {
                present.clear();
                items.forEach(item -> present.put(item.key(), item));
                tell();
            }
        }

        @Override
        public void changed(List<Item> put, List<RecordKey> gone, long revision) {
            if (following == this) {
                put.forEach(item -> present.put(item.key(), item));
                present.keySet().removeAll(gone);
                tell();
            }
        }
    }
}
