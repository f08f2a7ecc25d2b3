package io.baton.config.internal.record;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.baton.Item;
import io.baton.RecordKey;
import io.baton.config.ConfigEntry;
import io.baton.config.ConfigException;
import io.baton.config.ConfigPart;
import io.baton.config.KeyChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A change's record in the history.
 *
 * @param id chosen before sending, so that the writer recognizes the change
 * @param time in milliseconds since 1970, by its author's clock
 * @param author the author
 * @param comment the reason
 * @param part the part of a change in several transactions; null for a whole change
 * @param keys the keys that it changed, marked secret or unmarked
 */
public record HistoryRecord(
        @Nullable String id,
        long time,
        @Nullable String author,
        @Nullable String comment,
        @Nullable Part part,
        @Nullable SortedMap<String, Key> keys) {

    private static final int DIGITS = 16;

    /**
     * The change of one key.
     *
     * @param before its text before; null if it did not exist
     * @param now its text now; null if it no longer exists
     * @param secret whether it was marked secret before or after
     */
    public record Key(@Nullable String before, @Nullable String now, boolean secret) {

        /** Returns whether its text differs; if not, it was only marked or unmarked. */
        @JsonIgnore
        public boolean changed() {
            return !Objects.equals(before, now);
        }

        /** Returns it in its public form. */
        public KeyChange change(String key, boolean marked) {
            return new KeyChange(key, Optional.ofNullable(before), Optional.ofNullable(now), secret || marked);
        }
    }

    /**
     * One of the transactions of a large change.
     *
     * @param of the id that all of its parts bear
     * @param number the number of this part, from 1 on
     * @param total the number of parts
     * @param rest the checksum of what is left to write after it; null if nothing is left
     */
    public record Part(
            @Nullable String of,
            int number,
            int total,
            @Nullable String rest) {

        public boolean last() {
            return number >= total;
        }
    }

    /** Returns the key of the record of the change with this number. */
    public static RecordKey key(String tree, long number) {
        return new RecordKey(tree(tree), String.format("%0" + DIGITS + "d", number));
    }

    /** Returns the tree that holds the history of this tree. */
    static String tree(String tree) {
        return tree + ".history";
    }

    /** Returns the number of a record's change; empty if it is none. */
    public static Optional<Long> number(RecordKey key) {
        String name = key.name();
        return name.length() == DIGITS && name.chars().allMatch(c -> c >= '0' && c <= '9')
                ? Optional.of(Long.parseLong(name))
                : Optional.empty();
    }

    /**
     * Parses the record.
     *
     * @throws ConfigException if it is not in Baton's format
     */
    public static HistoryRecord of(Item item) {
        return Json.read(item, HistoryRecord.class);
    }

    /** Returns the entry in its public form. */
    public static ConfigEntry entry(Item item, SpaceHead head) {
        HistoryRecord record = of(item);
        List<KeyChange> changes = new ArrayList<>();
        long number = number(item.key()).orElse(0L);
        record.all().forEach((key, what) -> changes.add(what.change(key, head.secret(key, number))));
        return new ConfigEntry(
                number,
                item.revision().order(),
                Instant.ofEpochMilli(record.time()),
                record.author() == null ? "" : record.author(),
                record.comment() == null ? "" : record.comment(),
                List.copyOf(changes),
                Optional.ofNullable(record.part())
                        .map(part -> new ConfigPart(part.of() == null ? "" : part.of(), part.number(), part.total())));
    }

    public SortedMap<String, Key> all() {
        Map<String, Key> known = keys == null ? Map.of() : keys;
        return new TreeMap<>(known);
    }

    public byte[] encode() {
        return Json.write(this);
    }
}
