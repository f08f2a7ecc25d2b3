package io.baton.memory;

import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.Revision;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The records of a store. Under the store's lock. */
final class Values {

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

    /** Returns the number of the last transaction. */
    long revision() {
        return revision;
    }

    /** Returns all records of a tree. */
    List<Item> tree(String tree) {
        return items.values().stream()
                .filter(item -> item.key().tree().equals(tree))
                .toList();
    }

    /** Applies the operations in order. Returns each record that has changed; empty if it was deleted. */
    Map<RecordKey, Optional<Item>> apply(List<Op> ops) {
        Map<RecordKey, Optional<Item>> changes = new LinkedHashMap<>();
        revision = numbers.getAsLong();
        for (Op op : ops) {
            if (op instanceof Op.Put put) {
                Item item = new Item(put.key(), put.value().clone(), new MemoryRevision(revision));
                items.put(put.key(), item);
                changes.put(put.key(), Optional.of(item));
            } else if (items.remove(op.key()) != null) {
                changes.put(op.key(), Optional.empty());
            }
        }
        return changes;
    }
}
