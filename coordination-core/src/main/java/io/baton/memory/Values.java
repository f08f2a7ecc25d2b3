package io.baton.memory;

import io.baton.Item;
import io.baton.Op;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.Revision;
import io.baton.spi.kernel.StepWire.Changes;
import io.baton.spi.kernel.StepWire.Snapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** The records of a store. Under the store's lock. */
final class Values {

    static final String HISTORY = "mem";

    /** So many changes of each tree are kept. */
    private static final int KEPT = 1000;

    private record Change(long revision, RecordKey key) {}

    private final Map<String, ArrayDeque<Change>> log = new HashMap<>();
    private final Map<RecordKey, Item> items = new HashMap<>();
    private final LongSupplier numbers;
    private long revision;

    Values(LongSupplier numbers) {
        this.numbers = numbers;
    }

    Optional<Item> get(RecordKey key) {
        return Optional.ofNullable(items.get(key));
    }

    boolean unchanged(RecordKey key, Revision revision) {
        Item item = items.get(key);
        return item != null && item.revision().equals(revision);
    }

    /** Returns all records of a tree. */
    Snapshot snapshot(String tree) {
        List<Item> all = items.values().stream()
                .filter(item -> item.key().tree().equals(tree))
                .toList();
        return new Snapshot(all, new Position(HISTORY, revision));
    }

    /** Returns the revision of a tree's latest change; 0 if there was none. */
    long version(String tree) {
        ArrayDeque<Change> known = log.get(tree);
        return known == null ? 0 : known.getLast().revision();
    }

    /** Returns the changes of a tree after a revision; empty if they are not all known any more. */
    Optional<Changes> changesSince(String tree, long since) {
        List<Item> put = new ArrayList<>();
        List<RecordKey> deleted = new ArrayList<>();
        ArrayDeque<Change> known = log.getOrDefault(tree, new ArrayDeque<>());
        // A part of the oldest transaction may have been dropped.
        if (known.size() == KEPT && known.getFirst().revision() > since) {
            return Optional.empty();
        }
        known.stream()
                .filter(change -> change.revision() > since)
                .map(Change::key)
                .distinct()
                .forEach(key -> get(key).ifPresentOrElse(put::add, () -> deleted.add(key)));
        return Optional.of(new Changes(put, deleted, Math.max(since, version(tree))));
    }

    /** Applies the operations in order. Returns the trees that have changed. */
    Set<String> apply(List<Op> ops) {
        Set<RecordKey> changes = new LinkedHashSet<>();
        revision = numbers.getAsLong();
        for (Op op : ops) {
            if (op instanceof Op.Put put) {
                Item item = new Item(put.key(), put.value().clone(), new MemoryRevision(revision));
                items.put(put.key(), item);
                changes.add(put.key());
            } else if (items.remove(op.key()) != null) {
                changes.add(op.key());
            }
        }
        changes.forEach(this::log);
        return changes.stream().map(RecordKey::tree).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private void log(RecordKey key) {
        ArrayDeque<Change> known = log.computeIfAbsent(key.tree(), tree -> new ArrayDeque<>());
        known.add(new Change(revision, key));
        if (known.size() > KEPT) {
            known.removeFirst();
        }
    }
}
