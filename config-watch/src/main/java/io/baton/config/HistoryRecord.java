package io.baton.config;

import io.baton.Item;
import io.baton.RecordKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A change's place in the history, a record of its own.
 *
 * @param id chosen before it was sent: by which its writer knows it
 * @param time in milliseconds since 1970, as its author's machine told it
 * @param author who wrote it
 * @param comment why
 * @param keys what it changed, or marked or unmarked as secret, by key
 */
record HistoryRecord(
        @Nullable String id,
        long time,
        @Nullable String author,
        @Nullable String comment,
        @Nullable SortedMap<String, Key> keys) {

    private static final int DIGITS = 16;

    /**
     * What became of one key.
     *
     * @param before its text before; null if it was not there
     * @param now its text now; null if it is not there any more
     * @param secret whether it was marked secret before or after
     */
    record Key(@Nullable String before, @Nullable String now, boolean secret) {}

    /** The record of the change of this number. */
    static RecordKey key(String tree, long number) {
        return new RecordKey(tree(tree), String.format("%0" + DIGITS + "d", number));
    }

    /** The tree that holds the history of this one. */
    static String tree(String tree) {
        return tree + ".history";
    }

    /** Which change a record is of; empty if it is none. */
    static Optional<Long> number(RecordKey key) {
        String name = key.name();
        return name.length() == DIGITS && name.chars().allMatch(c -> c >= '0' && c <= '9')
                ? Optional.of(Long.parseLong(name))
                : Optional.empty();
    }

    /**
     * What the record says.
     *
     * @throws ConfigException if it is not as Baton writes it
     */
    static HistoryRecord of(Item item) {
        return Json.read(item, HistoryRecord.class);
    }

    /** The entry as users know it. */
    static ConfigEntry entry(Item item, SpaceHead head) {
        HistoryRecord record = of(item);
        List<KeyChange> changes = new ArrayList<>();
        record.all()
                .forEach((key, what) -> changes.add(new KeyChange(
                        key,
                        Optional.ofNullable(what.before()),
                        Optional.ofNullable(what.now()),
                        what.secret() || head.secret(key))));
        return new ConfigEntry(
                number(item.key()).orElse(0L),
                item.revision().order(),
                Instant.ofEpochMilli(record.time()),
                record.author() == null ? "" : record.author(),
                record.comment() == null ? "" : record.comment(),
                List.copyOf(changes));
    }

    SortedMap<String, Key> all() {
        Map<String, Key> known = keys == null ? Map.of() : keys;
        return new TreeMap<>(known);
    }

    byte[] encode() {
        return Json.write(this);
    }
}
