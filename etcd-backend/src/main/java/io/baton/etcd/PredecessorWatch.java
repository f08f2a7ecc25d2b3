package io.baton.etcd;

import io.baton.etcd.EtcdWire.Event;
import io.baton.etcd.EtcdWire.Fault;
import io.baton.etcd.EtcdWire.Header;
import io.baton.etcd.EtcdWire.Kv;
import io.baton.etcd.EtcdWire.Range;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Waits for one entry to go: a watch from now on, and, once it is there, a read that shows the entry still standing.
 *
 * <p>The entry is known by its key and the revision that created it: a peer may come back under the same key, behind us.
 */
final class PredecessorWatch implements EtcdWire.Watcher {

    /** Waits for the entry. */
    interface Waiter {
        /** The watch is there: whatever happened before has to be read. */
        void armed();

        /** The entry has gone. */
        void gone();

        /** The watch has ended: nothing more will be told. */
        void unwatched();
    }

    private final Kv entry;
    private final Waiter waiter;
    private EtcdWire.@Nullable Watch watch;
    private boolean over;

    private PredecessorWatch(Kv entry, Waiter waiter) {
        this.entry = entry;
        this.waiter = waiter;
    }

    static PredecessorWatch on(EtcdWire wire, Kv entry, Waiter waiter) {
        var made = new PredecessorWatch(entry, waiter);
        made.watch = wire.watch(Range.presence(entry.key()), 0, made);
        return made;
    }

    /** Whether this is the entry. */
    boolean isOn(Kv other) {
        return entry.key().equals(other.key()) && entry.created() == other.created();
    }

    String key() {
        return entry.key();
    }

    void close() {
        over = true;
        if (watch != null) {
            watch.close();
        }
    }

    @Override
    public void created(Header header) {
        if (!over) {
            waiter.armed();
        }
    }

    @Override
    public void events(List<Event> events, Header header) {
        for (Event event : events) {
            if (!over && event.deleted()) {
                waiter.gone();
            }
        }
    }

    @Override
    public void ended(Fault why) {
        if (!over) {
            over = true;
            waiter.unwatched();
        }
    }
}
