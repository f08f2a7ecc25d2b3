package io.baton.etcd;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Result;
import io.baton.spi.TreeListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reports the records of a tree: each revision at once, with its position in the cluster's history. */
final class TreeObserver implements PrefixWatch.Listener {

    private final RecordKeys keys;
    private final TreeListener to;
    private final PrefixWatch watch;
    private final KeyInventory census;

    TreeObserver(EtcdContext context, String tree, TreeListener to) {
        this.keys = RecordKeys.of(tree, context);
        this.to = to;
        this.watch = new PrefixWatch(context, keys.prefix(), "the records in " + tree, this);
        this.census = new KeyInventory(keys.prefix());
    }

    /** The watch that supplies the events. */
    PrefixWatch watch() {
        return watch;
    }

    /** The next request of an audit for lost events. */
    KeyInventory.Question question() {
        return census.question();
    }

    /** Handles the answer to it. */
    void audit(KeyInventory.Question asked, Result answer) {
        if (census.missed(asked, answer)) {
            watch.distrust();
        }
    }

    @Override
    public void snapshot(List<Kv> all, Header header) {
        census.begin(all);
        to.snapshot(
                all.stream().map(keys::item).flatMap(Optional::stream).toList(),
                new Position(Long.toHexString(header.cluster()), header.revision()));
    }

    @Override
    public void interrupted() {
        to.interrupted();
    }

    @Override
    public void resumed() {
        to.resumed();
    }

    @Override
    public void changed(List<Event> events) {
        census.changed(events);
        var put = new ArrayList<Item>();
        var gone = new ArrayList<RecordKey>();
        for (Event event : events) {
            keys.record(event.key()).ifPresent(key -> {
                if (event.deleted()) {
                    gone.add(key);
                } else {
                    put.add(new Item(key, event.value(), new EtcdRevision(event.revision())));
                }
            });
        }
        if (!put.isEmpty() || !gone.isEmpty()) {
            to.changed(put, gone, events.get(0).revision());
        }
    }
}
