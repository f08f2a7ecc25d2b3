package io.baton.config.internal.active;

import io.baton.Position;
import io.baton.config.ConfigSnapshot;
import io.baton.config.ConfigValue;
import io.baton.config.internal.record.FrozenMap;
import io.baton.config.internal.record.Json;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The last good values, kept for a start without the store.
 *
 * @param space the tree of the values
 * @param prefix the prefix of their keys
 * @param at the store's position
 * @param change the number of the last change in them
 * @param canary the id of the canary in them; empty if there is none
 * @param written the time of writing, by the wall clock
 * @param agreed the names of the bindings that had accepted them; empty if unknown
 * @param values the values
 */
public record Cached(
        String space,
        String prefix,
        Position at,
        long change,
        String canary,
        Instant written,
        Optional<SortedSet<String>> agreed,
        FrozenMap<ConfigValue> values) {

    /** Returns the state in use. */
    public static Cached of(String space, String prefix, ActiveConfig now, Instant written) {
        ConfigSnapshot shown = now.snapshot();
        return new Cached(
                space,
                prefix,
                shown.position(),
                shown.change(),
                now.canary(),
                written,
                Optional.of(names(now)),
                now.values());
    }

    /** Returns the names of the bindings in this state. */
    static SortedSet<String> names(ActiveConfig now) {
        SortedSet<String> names = new TreeSet<>();
        now.bound().keySet().forEach(bound -> names.add(bound.name()));
        return names;
    }

    /** Returns the age; zero if the clock was set back. */
    public Duration age(Instant now) {
        Duration age = Duration.between(written, now);
        return age.isNegative() ? Duration.ZERO : age;
    }

    public byte[] encode() {
        List<Value> all = values.values().stream().map(Value::of).toList();
        return Json.write(new Written(
                space,
                prefix,
                at.history(),
                at.revision(),
                change,
                canary,
                written.toEpochMilli(),
                agreed.orElse(null),
                all));
    }

    public static Cached decode(byte[] text) throws IOException {
        return Json.read(text, Written.class)
                .orElseThrow(() -> new IOException("it is not as Baton writes it"))
                .cached();
    }

    /** A value in the file. */
    record Value(@Nullable String key, @Nullable String text, long revision, boolean secret) {

        static Value of(ConfigValue value) {
            return new Value(value.key(), value.text(), value.revision(), value.secret());
        }
    }

    /** The contents of the file. */
    record Written(
            @Nullable String space,
            @Nullable String prefix,
            @Nullable String history,
            long revision,
            long change,
            @Nullable String canary,
            long written,
            @Nullable Set<String> agreed,
            @Nullable List<Value> values) {

        Cached cached() throws IOException {
            if (space == null || prefix == null || history == null || canary == null || values == null) {
                throw new IOException("it lacks what a cache has");
            }
            SortedMap<String, ConfigValue> all = new TreeMap<>();
            for (Value value : values) {
                if (value.key() == null || value.text() == null) {
                    throw new IOException("it has a value without a key or text");
                }
                all.put(value.key(), new ConfigValue(value.key(), value.text(), value.revision(), value.secret()));
            }
            Position at = new Position(history, revision);
            Instant when = Instant.ofEpochMilli(written);
            Optional<SortedSet<String>> names = Optional.ofNullable(agreed).map(TreeSet::new);
            return new Cached(space, prefix, at, change, canary, when, names, FrozenMap.copyOf(all));
        }
    }
}
