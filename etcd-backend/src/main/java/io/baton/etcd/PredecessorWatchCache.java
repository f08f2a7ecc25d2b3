package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire.Kv;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps, for each line, the watch on this session's last predecessor, if the session waits there often. Where the same
 * clients queue repeatedly, each often has the same predecessor, under the same key.
 */
final class PredecessorWatchCache {

    private static final int MANY_LINES = 64;

    /** The watch ends after this many removals under its key while no place here waited. */
    private static final int MAX_UNUSED = 8;

    private final EtcdContext session;
    // The least recently used line comes first.
    private final Map<String, Kept> lines = new LinkedHashMap<>(16, 0.75f, true);

    PredecessorWatchCache(EtcdContext session) {
        this.session = session;
    }

    /** Takes the watch on this entry's key, if one was kept. */
    Optional<PredecessorWatch> take(String prefix, Kv entry) {
        Kept line = lines.get(prefix);
        return line == null ? Optional.empty() : line.take(entry.key());
    }

    /** Adds a watch that has reported its entry's removal and has no waiter any more. */
    void add(String prefix, PredecessorWatch watch) {
        Kept line = lines.computeIfAbsent(prefix, any -> new Kept());
        line.add(watch);
        if (lines.size() > MANY_LINES) {
            Iterator<Kept> oldestFirst = lines.values().iterator();
            oldestFirst.next().drop();
            oldestFirst.remove();
        }
    }

    /** The watch of one line. */
    private final class Kept implements PredecessorWatch.Waiter {

        private @Nullable PredecessorWatch watch;
        private long lastAdded = session.loop().nanoTime() - session.timeout().toNanos();
        private int unused;

        Optional<PredecessorWatch> take(String key) {
            PredecessorWatch kept = watch;
            if (kept == null || !kept.key().equals(key)) {
                return Optional.empty();
            }
            watch = null;
            return Optional.of(kept);
        }

        void add(PredecessorWatch next) {
            drop();
            long now = session.loop().nanoTime();
            boolean often = now - lastAdded < session.timeout().toNanos();
            lastAdded = now;
            if (often) {
                watch = next;
                unused = 0;
                next.keepFor(this);
            } else {
                next.close();
            }
        }

        void drop() {
            if (watch != null) {
                watch.close();
                watch = null;
            }
        }

        @Override
        public void armed() {}

        @Override
        public void predecessorRemoved() {
            if (++unused > MAX_UNUSED) {
                drop();
            }
        }

        @Override
        public void predecessorWritten() {}

        @Override
        public void unwatched() {
            watch = null;
        }
    }
}
