package io.baton.internal.tree;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.internal.session.SessionBound;
import io.baton.spi.Loop;
import io.baton.spi.Session;
import io.baton.spi.TreeListener;
import io.baton.spi.support.RunAll;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One tree of records, observed for all listeners of single records in it. On the loop. */
public final class TreeWatch implements SessionBound {

    private final Set<RecordCache> all = new LinkedHashSet<>();
    private final Map<RecordKey, Item> present = new HashMap<>();
    private final FollowedTree followed;
    private boolean known;
    private Loop.Timer ending = () -> {};

    TreeWatch(String tree) {
        this.followed = new FollowedTree(tree, new Present());
    }

    void add(RecordCache watch) {
        ending.cancel();
        all.add(watch);
        if (known) {
            watch.present(present.get(watch.key()));
        }
    }

    /** Removes a listener; returns whether it was the last one. */
    boolean remove(RecordCache watch) {
        watch.end();
        return all.remove(watch) && all.isEmpty();
    }

    /** Without a listener, the observation ends when this timer rings. The next listener stops it. */
    void endsWith(Loop.Timer timer) {
        ending = timer;
    }

    @Override
    public void begin(Session session) {
        followed.follow(session);
    }

    @Override
    public void stop() {
        followed.stop();
    }

    @Override
    public void lost() {
        followed.cutOff();
    }

    private void notifyListeners() {
        known = true;
        // One that throws must not keep the others from what is there.
        RunAll.each(all, watch -> watch.present(present.get(watch.key())));
    }

    private final class Present implements TreeListener {

        @Override
        public void snapshot(List<Item> items, Position at) {
            present.clear();
            items.forEach(item -> present.put(item.key(), item));
            notifyListeners();
        }

        @Override
        public void changed(List<Item> put, List<RecordKey> gone, long revision) {
            put.forEach(item -> present.put(item.key(), item));
            present.keySet().removeAll(gone);
            notifyListeners();
        }
    }
}
