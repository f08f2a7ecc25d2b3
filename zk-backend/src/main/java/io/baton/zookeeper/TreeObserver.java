package io.baton.zookeeper;

import io.baton.Item;
import io.baton.RecordKey;
import io.baton.spi.Names;
import io.baton.spi.Observer;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Follows the records of a tree: a recursive watch, then a snapshot, then one read for each event. A watch tells nothing
 * of what happened while disconnected, so each reconnection takes a new snapshot. A snapshot is taken twice and believed
 * once two passes in a row agree; events that arrive meanwhile are looked at afterwards.
 */
final class TreeObserver {

    private final ZkSession session;
    private final String tree;
    private final Observer to;

    private boolean closed;
    private boolean live;
    private int passes;
    private int contact;
    private Map<String, Item> known = Map.of();
    private @Nullable Map<String, Item> previous;
    private Set<String> dirty = new HashSet<>();

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
        contact++;
        session.wire().follow(root(), (code, nothing) -> {
            if (code == Code.OK) {
                pass();
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
        String name = Names.decode(segment);
        if (live) {
            refresh(name);
        } else {
            dirty.add(name);
        }
    }

    private void pass() {
        if (closed) {
            return;
        }
        passes++;
        dirty = new HashSet<>();
        int[] rootVersion = {-1};
        session.wire().read(root(), (code, root) -> {
            if (root != null) {
                rootVersion[0] = root.version();
            }
        });
        session.wire().children(root(), (code, segments) -> {
            if (code == Code.OK && segments != null) {
                readAll(segments, rootVersion);
            } else if (code == Code.NONODE) {
                passed(new LinkedHashMap<>());
            }
        });
    }

    private void readAll(List<String> segments, int[] rootVersion) {
        var seen = new LinkedHashMap<String, Item>();
        if (segments.isEmpty()) {
            passed(seen);
            return;
        }
        int[] open = {segments.size()};
        for (String segment : segments.stream().sorted().toList()) {
            String name = Names.decode(segment);
            session.reader().read(new RecordKey(tree, name), rootVersion, (code, item) -> {
                item.ifPresent(value -> seen.put(name, value));
                // After a lost connection the next one starts from the beginning.
                if (--open[0] == 0 && code == Code.OK) {
                    passed(seen);
                }
            });
        }
    }

    private void passed(Map<String, Item> seen) {
        if (closed || live) {
            return;
        }
        if (previous == null || !revisions(previous).equals(revisions(seen))) {
            previous = seen;
            int before = contact;
            session.pause(Math.max(0, passes - 5), () -> passAgain(before));
            return;
        }
        live = true;
        passes = 0;
        known = seen;
        to.snapshot(List.copyOf(seen.values()));
        dirty.forEach(this::refresh);
    }

    /** Unless the contact was lost meanwhile: reconnecting starts from the beginning. */
    private void passAgain(int before) {
        if (session.connected() && contact == before) {
            pass();
        }
    }

    private void refresh(String name) {
        session.reader().read(new RecordKey(tree, name), (code, item) -> {
            if (code == Code.OK && live && !closed) {
                refreshed(name, item);
            }
        });
    }

    private void refreshed(String name, Optional<Item> now) {
        Item before = known.get(name);
        if (now.isPresent()) {
            Item item = now.get();
            known.put(name, item);
            if (before == null || !before.revision().equals(item.revision())) {
                to.changed(List.of(item), List.of());
            }
        } else if (before != null) {
            known.remove(name);
            to.changed(List.of(), List.of(before.key()));
        }
    }

    private static Map<String, Object> revisions(Map<String, Item> items) {
        var revisions = new LinkedHashMap<String, Object>();
        items.forEach((name, item) -> revisions.put(name, item.revision()));
        return revisions;
    }
}
