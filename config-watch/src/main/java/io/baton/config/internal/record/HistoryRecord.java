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
 * A change's place in the history, a record of its own.
 *
 * @param id chosen before it was sent: by which its writer knows it
 * @param time in milliseconds since 1970, as its author's machine told it
 * @param author who wrote it
 * @param comment why
 * @param part which part of a change in several transactions it is; null if it is all of it
 * @param keys what it changed, or marked or unmarked as secret, by key
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
     * What became of one key.
     *
     * @param before its text before; null if it was not there
     * @param now its text now; null if it is not there any more
     * @param secret whether it was marked secret before or after
     */
    public record Key(@Nullable String before, @Nullable String now, boolean secret) {

        /** Whether its text is another one; if not, it was only marked, or unmarked. */
        @JsonIgnore
        public boolean changed() {
            return !Objects.equals(before, now);
        }

        /** The same as users know it. */
        public KeyChange change(String key, boolean marked) {
            return new KeyChange(key, Optional.ofNullable(before), Optional.ofNullable(now), secret || marked);
        }
    }

    /**
     * One of the transactions that a large change takes.
     *
     * @param of the id that all of its parts bear
     * @param number which of them, from 1 on
     * @param total how many there are to be
     * @param rest of what is left to be written after it, by which it is known again; null if that is nothing
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

    /** The record of the change of this number. */
    public static RecordKey key(String tree, long number) {
        return new RecordKey(tree(tree), String.format("%0" + DIGITS + "d", number));
    }

    /** The tree that holds the history of this one. */
    static String tree(String tree) {
        return tree + ".history";
    }

    /** Which change a record is of; empty if it is none. */
    public static Optional<Long> number(RecordKey key) {
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
    public static HistoryRecord of(Item item) {
        return Json.read(item, HistoryRecord.class);
    }

    /** The entry as users know it. */
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
