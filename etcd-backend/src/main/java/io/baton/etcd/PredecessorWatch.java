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
 * Waits for one entry to go: a watch from now on, and, once it is there, a read that shows the entry still standing.
 *
 * <p>The entry is known by its key and the revision that created it: a peer may come back under the same key, behind us.
 * Often it comes back ahead of us, once we have waited behind it and wait again. So a watch that has told that its entry
 * went can be {@link PredecessorWatchCache kept}, and used for the next entry under that key; as it was there all the time, no read
 * needs to confirm it.
 */
final class PredecessorWatch implements EtcdWire.Watcher {

    /** Waits for the entry. */
    interface Waiter {
        /** The watch is there: whatever happened before has to be read. */
        void armed();

        /** The entry has gone. */
        void predecessorRemoved();

        /** The watch has ended: nothing more will be told. */
        void unwatched();
    }

    private Kv entry;
    private Waiter waiter;
    private EtcdWire.@Nullable Watch watch;
    // When an entry under the key went last, and since when that concerns the waiter.
    private long lastRemoved;
    private long since;
    private boolean armed;
    private boolean closed;

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
    boolean watches(Kv other) {
        return entry.key().equals(other.key()) && entry.created() == other.created();
    }

    String key() {
        return entry.key();
    }

    /** Whether the server watches, so that it tells when the entry goes. */
    boolean isArmed() {
        return armed;
    }

    /** Told that the entry went, and nobody's any more: this one is told of the next. */
    void keepFor(Waiter next) {
        waiter = next;
        since = lastRemoved;
    }

    /**
     * Waits for another entry under the same key, one that stood at this revision.
     *
     * @return whether it stands, as far as the watch has told
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
