package io.baton.config.internal.record;

import io.baton.Guard;
import io.baton.Item;
import io.baton.RecordKey;
import io.baton.config.ConfigValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A space, as far as it was read. Its parts may be from different moments, so a writer must guard them.
 *
 * @param tree the tree of the values
 * @param head Baton's data on the space
 * @param headRecord the record with that data; empty if there is none
 * @param records the other records read, by name
 */
public record SpaceRead(String tree, SpaceHead head, Optional<Item> headRecord, Map<String, Optional<Item>> records) {

    /** Returns the same with this record. */
    SpaceRead with(String name, Optional<Item> record) {
        Map<String, Optional<Item>> all = new LinkedHashMap<>(records);
        all.put(name, record);
        return new SpaceRead(tree, head, headRecord, all);
    }

    /** Returns a key's value in its public form. */
    public Optional<ConfigValue> value(String key) {
        return record(key)
                .map(item -> new ConfigValue(key, item.text(), item.revision().order(), head.secret(key)));
    }

    public Optional<Item> record(String name) {
        return records.getOrDefault(name, Optional.empty());
    }

    public Optional<String> text(String key) {
        return record(key).map(Item::text);
    }

    public long revision(String key) {
        return record(key).map(item -> item.revision().order()).orElse(0L);
    }

    public RecordKey key(String name) {
        return new RecordKey(tree, name);
    }

    /** Returns a guard that Baton's data is as it was read. */
    public Guard headGuard() {
        return headRecord.map(Guard::unchanged).orElseGet(() -> Guard.absent(key(SpaceHead.KEY)));
    }

    /** Returns a guard that this record is as it was read. */
    public Guard guard(String name) {
        return record(name).map(Guard::unchanged).orElseGet(() -> Guard.absent(key(name)));
    }
}
