package io.baton.etcd;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.etcd.EtcdWire.Event;
import io.baton.etcd.EtcdWire.Header;
import io.baton.etcd.EtcdWire.Kv;
import io.baton.spi.Observer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Follows the records of a tree. */
final class TreeObserver implements PrefixWatch.Listener {

    private final RecordKeys keys;
    private final Observer to;

    private TreeObserver(RecordKeys keys, Observer to) {
        this.keys = keys;
        this.to = to;
    }

    static PrefixWatch of(Ground ground, String tree, Observer to) {
        RecordKeys keys = RecordKeys.of(tree, ground);
        return new PrefixWatch(ground, keys.prefix(), "the records in " + tree, new TreeObserver(keys, to));
    }

    @Override
    public void snapshot(List<Kv> all, Header header) {
        to.snapshot(
                all.stream().map(keys::item).flatMap(Optional::stream).toList(),
                new Position(Long.toHexString(header.cluster()), header.revision()));
    }

    @Override
    public void changed(List<Event> events) {
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
