package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire.Kv;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * For each line the watch on whom this session waited behind last, if it waits there often: where the same clients queue up
 * again and again, each finds itself behind the same one, under the same key.
 */
final class PredecessorWatchCache {

    private static final int MANY_LINES = 64;

    /** So many entries under the key that came and went while nobody here waited for them end it. */
    private static final int MAX_UNUSED = 8;

    private final EtcdContext session;
    // The line that was used longest ago comes first.
    private final Map<String, Kept> lines = new LinkedHashMap<>(16, 0.75f, true);

    PredecessorWatchCache(EtcdContext session) {
        this.session = session;
    }

    /** The one on the entry's key, if it was kept. */
    Optional<PredecessorWatch> take(String prefix, Kv entry) {
        Kept line = lines.get(prefix);
        return line == null ? Optional.empty() : line.take(entry.key());
    }

    /** This one has told that its entry went, and is nobody's any more. */
    void add(String prefix, PredecessorWatch watch) {
        Kept line = lines.computeIfAbsent(prefix, any -> new Kept());
        line.add(watch);
        if (lines.size() > MANY_LINES) {
            Iterator<Kept> oldestFirst = lines.values().iterator();
            oldestFirst.next().drop();
            oldestFirst.remove();
        }
    }

    /** That of one line. */
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
        public void unwatched() {
            watch = null;
        }
    }
}
