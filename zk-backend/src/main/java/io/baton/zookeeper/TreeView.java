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

/** What has been read of a tree of records, and how much of that has not been told yet. */
final class TreeView {

    private final RecordNames names;
    private final TreeMap<String, Item> present = new TreeMap<>();
    /** Children whose names are not ours. */
    private final Set<String> foreign = new HashSet<>();
    /** What was told last of those that have changed since. */
    private final Map<String, Optional<Item>> before = new LinkedHashMap<>();

    private ZkWire.@Nullable Node root;
    private long revision;
    private Position told = new Position("", 0);
    private boolean wasThere;

    /** {@code wasThere} is whether the tree is known to have been there before. */
    TreeView(RecordNames names, boolean wasThere) {
        this.names = names;
        this.wasThere = wasThere;
    }

    /** What the root is now, null if it is not there; whether that is something new. */
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

    /** What a child of the root is now, null if it is not there; whether that is something new. */
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
        // Where no root was there, it has been made since, and its version begins with that.
        var identity = new ZkRevision(node, root == null ? 0 : root.version());
        return new Item(names.key(name).orElseThrow(), node.data(), identity);
    }

    /** There is a child that is no record. */
    void addForeign(String name) {
        foreign.add(name);
    }

    /** Those that there are will be listed. */
    void clearForeign() {
        foreign.clear();
    }

    /** There is none of this name any more. */
    void removeForeign(String name) {
        foreign.remove(name);
    }

    /** Whether all children are known, as far as their number tells. */
    boolean complete() {
        int children = root == null ? 0 : root.children();
        return children == present.size() + foreign.size();
    }

    /** Names of so many records behind this one, going round. */
    List<String> next(String name, int most) {
        var some = new ArrayList<String>();
        present.tailMap(name, false).keySet().stream().limit(most).forEach(some::add);
        present.headMap(name, true).keySet().stream().limit(most - some.size()).forEach(some::add);
        return some;
    }

    /** Which course of events this is: that of the root as it was made once. */
    Position position() {
        ZkWire.Node now = root;
        return now == null ? new Position("", 0) : new Position(Long.toHexString(now.czxid()), revision);
    }

    /**
     * Whether what was told and what is now are two courses. That a tree has come to be where there was none from the
     * beginning is a change like others.
     */
    boolean historyChanged() {
        return wasThere && !told.history().equals(position().history());
    }

    /** Whether there is anything to tell. */
    boolean hasChanges() {
        return !before.isEmpty() || told.revision() != position().revision();
    }

    /** All records. */
    List<Item> all() {
        return List.copyOf(present.values());
    }

    /** Those records that have got another value since they were told. */
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

    /** Those that have gone since they were told. */
    List<RecordKey> deleted() {
        var gone = new ArrayList<RecordKey>();
        before.forEach((name, was) -> {
            if (was.isPresent() && !present.containsKey(name)) {
                gone.add(was.get().key());
            }
        });
        return gone;
    }

    /** All of this has been told. */
    void delivered() {
        before.clear();
        told = position();
        wasThere |= !told.history().isEmpty();
    }
}
