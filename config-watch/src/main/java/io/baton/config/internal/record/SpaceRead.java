package io.baton.config.internal.record;

import io.baton.Guard;
import io.baton.Item;
import io.baton.RecordKey;
import io.baton.config.ConfigValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A space, as far as it was read; what was read may have been there at different moments, which whoever writes has to guard
 * against.
 *
 * @param tree of the values
 * @param head what Baton knows of the space
 * @param headRecord the record that says so; empty if there is none
 * @param records what else was read, by name
 */
public record SpaceRead(String tree, SpaceHead head, Optional<Item> headRecord, Map<String, Optional<Item>> records) {

    /** The same, and this record. */
    SpaceRead with(String name, Optional<Item> record) {
        Map<String, Optional<Item>> all = new LinkedHashMap<>(records);
        all.put(name, record);
        return new SpaceRead(tree, head, headRecord, all);
    }

    /** A key's value, as users know it. */
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

    /** It is as it was read. */
    public Guard headGuard() {
        return headRecord.map(Guard::unchanged).orElseGet(() -> Guard.absent(key(SpaceHead.KEY)));
    }

    /** It is as it was read. */
    public Guard guard(String name) {
        return record(name).map(Guard::unchanged).orElseGet(() -> Guard.absent(key(name)));
    }
}
