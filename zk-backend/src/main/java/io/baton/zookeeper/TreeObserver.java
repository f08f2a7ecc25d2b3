package io.baton.zookeeper;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.spi.Names;
import io.baton.spi.Observer;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the records of a tree: a recursive watch, then a snapshot, then one read for each event. A watch tells nothing
 * of what happened while disconnected, so each reconnection takes a new snapshot. A snapshot is taken twice and believed
 * once two passes in a row agree; events that arrive meanwhile are looked at afterwards.
 */
final class TreeObserver {

    private static final Logger log = LoggerFactory.getLogger(TreeObserver.class);

    private final ZkSession session;
    private final String tree;
    private final Observer to;

    private boolean closed;
    private boolean warned;
    private boolean live;
    private int passes;
    private int contact;
    private Map<String, Item> known = Map.of();
    private @Nullable Map<String, Item> previous;
    private final Set<RecordKey> dirty = new LinkedHashSet<>();

    TreeObserver(ZkSession session, String tree, Observer to) {
        this.session = session;
        this.tree = tree;
        this.to = to;
    }

    String root() {
        return session.tree().recordsRoot(tree);
    }

    /** In contact, for the first time or again. */
    void connected() {
        live = false;
        previous = null;
        passes = 0;
        int now = ++contact;
        session.wire().follow(root(), (code, nothing) -> {
            if (code == Code.OK) {
                pass(now);
            } else {
                later(now);
            }
        });
    }

    void close() {
        closed = true;
    }

    /** Something has happened at this path below the root. */
    void changed(String path) {
        String segment = path.substring(path.lastIndexOf('/') + 1);
        boolean record = path.length() - segment.length() - 1 == root().length();
        if (closed || !record) {
            return;
        }
        key(segment).ifPresent(key -> {
            if (live) {
                refresh(key);
            } else {
                dirty.add(key);
            }
        });
    }

    /** Begun in an earlier contact: reconnecting has started from the beginning. */
    private boolean stale(int begun) {
        return closed || live || begun != contact;
    }

    private void pass(int begun) {
        if (stale(begun)) {
            return;
        }
        passes++;
        dirty.clear();
        RecordReader.Root version = session.reader().readRoot(tree);
        session.wire().children(root(), (code, segments) -> {
            if (code == Code.OK && segments != null) {
                readAll(begun, segments, version);
            } else if (code == Code.NONODE) {
                passed(begun, new LinkedHashMap<>());
            } else {
                warn(code);
                later(begun);
            }
        });
    }

    /** There is nobody to be told but whoever reads the log: those who observe wait for a snapshot, as without contact. */
    private void warn(Code code) {
        if (code == Code.NOAUTH && !warned) {
            warned = true;
            log.warn(
                    "Cannot follow the records in {}: this client may not read all of them; it will go on trying",
                    tree);
        }
    }

    private void readAll(int begun, List<String> segments, RecordReader.Root version) {
        var seen = new LinkedHashMap<String, Item>();
        List<RecordKey> keys = segments.stream()
                .sorted()
                .map(this::key)
                .flatMap(Optional::stream)
                .toList();
        int[] open = {keys.size()};
        boolean[] failed = {false};
        for (RecordKey key : keys) {
            session.reader().read(key, version, (code, item) -> {
                item.ifPresent(value -> seen.put(key.name(), value));
                failed[0] |= code != Code.OK;
                warn(code);
                if (--open[0] == 0) {
                    if (failed[0]) {
                        later(begun);
                    } else {
                        passed(begun, seen);
                    }
                }
            });
        }
        if (keys.isEmpty()) {
            passed(begun, seen);
        }
    }

    private void passed(int begun, Map<String, Item> seen) {
        if (stale(begun)) {
            return;
        }
        if (previous == null || !revisions(previous).equals(revisions(seen))) {
            previous = seen;
            later(begun);
            return;
        }
        live = true;
        known = seen;
        to.snapshot(List.copyOf(seen.values()), new Position("", newest()));
        Set<RecordKey> meanwhile = Set.copyOf(dirty);
        meanwhile.forEach(this::refresh);
    }

    /** At once for a few times, then more and more slowly. */
    private void later(int begun) {
        session.pause(Math.max(0, passes - 5), () -> {
            if (session.connected()) {
                pass(begun);
            }
        });
    }

    private void refresh(RecordKey key) {
        int begun = contact;
        session.reader().read(key, (code, item) -> {
            if (!live || closed || begun != contact) {
                return;
            }
            if (code == Code.OK) {
                refreshed(key.name(), item);
            } else if (code != Code.CONNECTIONLOSS) {
                connected();
            }
        });
    }

    /** The record of this node; none if its name cannot be one of ours. */
    private Optional<RecordKey> key(String segment) {
        try {
            String name = Names.decode(segment);
            return Names.encode(name).equals(segment) ? Optional.of(new RecordKey(tree, name)) : Optional.empty();
        } catch (IllegalArgumentException noName) {
            return Optional.empty();
        }
    }

    private void refreshed(String name, Optional<Item> now) {
        Item before = known.get(name);
        if (now.isPresent()) {
            Item item = now.get();
            known.put(name, item);
            if (before == null || !before.revision().equals(item.revision())) {
                to.changed(List.of(item), List.of(), newest());
            }
        } else if (before != null) {
            known.remove(name);
            to.changed(List.of(), List.of(before.key()), newest());
        }
    }

    private long newest() {
        return known.values().stream()
                .mapToLong(item -> item.revision().order())
                .max()
                .orElse(0);
    }

    private static Map<String, Object> revisions(Map<String, Item> items) {
        var revisions = new LinkedHashMap<String, Object>();
        items.forEach((name, item) -> revisions.put(name, item.revision()));
        return revisions;
    }
}
