package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Range;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Waits for one entry to go: a watch from now on and, once the watch is set, a read that shows the entry still
 * standing.
 *
 * <p>The entry is identified by its key and its creation revision, as a peer may come back under the same key behind
 * this place. Often it comes back ahead, when this session waits again. So a watch that has reported its entry's
 * removal can be {@link PredecessorWatchCache kept} for the next entry under that key. It was active all the time, so
 * no read needs to confirm it.
 */
final class PredecessorWatch implements EtcdWire.Watcher {

    /** Waits for the entry. */
    interface Waiter {
        /** The watch is set. Earlier changes must be read. */
        void armed();

        /** The entry has gone. */
        void predecessorRemoved();

        /** The entry was written. Only from a watch that reports writes. */
        void predecessorWritten();

        /** The watch has ended. No event will follow. */
        void unwatched();
    }

    private Kv entry;
    private Waiter waiter;
    private EtcdWire.@Nullable Watch watch;
    // The revision of the last removal under the key, and the revision after which removals concern the waiter.
    private long lastRemoved;
    private long since;
    private boolean armed;
    private boolean closed;

    private PredecessorWatch(Kv entry, Waiter waiter) {
        this.entry = entry;
        this.waiter = waiter;
    }

    /** Watches for the entry's removal. */
    static PredecessorWatch on(EtcdWire wire, Kv entry, Waiter waiter) {
        return on(wire, Range.presence(entry.key()), entry, waiter);
    }

    /** Watches for the entry's removal, and for writes of it. */
    static PredecessorWatch onWrites(EtcdWire wire, Kv entry, Waiter waiter) {
        return on(wire, Range.key(entry.key()), entry, waiter);
    }

    private static PredecessorWatch on(EtcdWire wire, Range range, Kv entry, Waiter waiter) {
        var made = new PredecessorWatch(entry, waiter);
        made.watch = wire.watch(range, 0, made);
        return made;
    }

    /** Whether this is the watched entry. */
    boolean watches(Kv other) {
        return entry.key().equals(other.key()) && entry.created() == other.created();
    }

    String key() {
        return entry.key();
    }

    /** Whether the watch is set, so that the server reports the removal. */
    boolean isArmed() {
        return armed;
    }

    /** Passes the watch to another waiter after the removal was reported. It gets the next one. */
    void keepFor(Waiter next) {
        waiter = next;
        since = lastRemoved;
    }

    /**
     * Waits for another entry under the same key, which stood at this revision.
     *
     * @return whether it still stands, as far as the watch has reported
     */
    boolean reuse(Kv next, long revision, Waiter to) {
        entry = next;
        since = revision;
        waiter = to;
        return lastRemoved <= revision;
    }

    void close() {
        closed = true;
        if (watch != null) {
            watch.close();
        }
    }

    @Override
    public void created(Header header) {
        armed = true;
        if (!closed) {
            waiter.armed();
        }
    }

    @Override
    public void events(List<Event> events, Header header) {
        for (Event event : events) {
            if (!closed && event.deleted()) {
                lastRemoved = event.revision();
                if (lastRemoved > since) {
                    waiter.predecessorRemoved();
                }
            } else if (!closed && event.created() == entry.created()) {
                waiter.predecessorWritten();
            }
        }
    }

    @Override
    public void ended(Fault why) {
        if (!closed) {
            closed = true;
            waiter.unwatched();
        }
    }
}
