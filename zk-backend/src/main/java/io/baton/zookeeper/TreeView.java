package io.baton.zookeeper;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.zookeeper.wire.ZkWire;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The records read from a tree, and their changes not yet reported. */
final class TreeView {

    private final RecordNames names;
    private final TreeMap<String, Item> present = new TreeMap<>();
    /** Children whose names are not those of records. */
    private final Set<String> foreign = new HashSet<>();
    /** The last reported value of each record that has changed since. */
    private final Map<String, Optional<Item>> before = new LinkedHashMap<>();

    private ZkWire.@Nullable Node root;
    private long revision;
    private Position told = new Position("", 0);
    private boolean wasThere;

    /** {@code wasThere}: whether the tree is known to have existed before. */
    TreeView(RecordNames names, boolean wasThere) {
        this.names = names;
        this.wasThere = wasThere;
    }

    /** Sets the root; null if it does not exist. Returns whether it has changed. */
    boolean root(ZkWire.@Nullable Node now) {
        ZkWire.Node was = root;
        root = now;
        if (now != null) {
            revision = Math.max(revision, Math.max(now.mzxid(), now.pzxid()));
        }
        if (was == null || now == null) {
            return was != null || now != null;
        }
        return was.czxid() != now.czxid() || was.mzxid() != now.mzxid() || was.pzxid() != now.pzxid();
    }

    /** Sets a child of the root; null if it does not exist. Returns whether it has changed. */
    boolean child(String name, ZkWire.@Nullable Node now) {
        Optional<Item> is = Optional.ofNullable(now).map(node -> item(name, node));
        Optional<Item> was = Optional.ofNullable(is.isPresent() ? present.put(name, is.get()) : present.remove(name));
        boolean isNew = !is.map(Item::revision).equals(was.map(Item::revision));
        if (isNew) {
            before.putIfAbsent(name, was);
        }
        return isNew;
    }

    private Item item(String name, ZkWire.Node node) {
        revision = Math.max(revision, node.mzxid());
        // A root that did not exist has been created since; its version starts at 0.
        var identity = new ZkRevision(node, root == null ? 0 : root.version());
        return new Item(names.key(name).orElseThrow(), node.data(), identity);
    }

    /** Adds a child that is not a record. */
    void addForeign(String name) {
        foreign.add(name);
    }

    /** Removes these children before a new listing. */
    void clearForeign() {
        foreign.clear();
    }

    /** Removes a child that is not a record. */
    void removeForeign(String name) {
        foreign.remove(name);
    }

    /** The number of the root's children when it was last read. */
    int children() {
        return root == null ? 0 : root.children();
    }

    /** Whether all children are known, judged by their number. */
    boolean complete() {
        return children() == present.size() + foreign.size();
    }

    /** Returns up to {@code most} names of records after this one, wrapping around. */
    List<String> next(String name, int most) {
        var some = new ArrayList<String>();
        present.tailMap(name, false).keySet().stream().limit(most).forEach(some::add);
        present.headMap(name, true).keySet().stream().limit(most - some.size()).forEach(some::add);
        return some;
    }

    /** Returns the position. Its history is the root's czxid. */
    Position position() {
        ZkWire.Node now = root;
        return now == null ? new Position("", 0) : new Position(Long.toHexString(now.czxid()), revision);
    }

    /**
     * Whether the reported state and the current one belong to different histories. The creation of a tree that had
     * never existed is an ordinary change.
     */
    boolean historyChanged() {
        return wasThere && !told.history().equals(position().history());
    }

    /** Whether there are changes to report. */
    boolean hasChanges() {
        return !before.isEmpty() || told.revision() != position().revision();
    }

    /** Returns all records. */
    List<Item> all() {
        return List.copyOf(present.values());
    }

    /** Returns the records whose values have changed since the last report. */
    List<Item> put() {
        var put = new ArrayList<Item>();
        before.forEach((name, was) -> {
            Item is = present.get(name);
            if (is != null && !was.map(Item::revision).equals(Optional.of(is.revision()))) {
                put.add(is);
            }
        });
        return put;
    }

    /** Returns the records that have gone since the last report. */
    List<RecordKey> deleted() {
        var gone = new ArrayList<RecordKey>();
        before.forEach((name, was) -> {
            if (was.isPresent() && !present.containsKey(name)) {
                gone.add(was.get().key());
            }
        });
        return gone;
    }

    /** Marks the current state as reported. */
    void delivered() {
        before.clear();
        told = position();
        wasThere |= !told.history().isEmpty();
    }
}
