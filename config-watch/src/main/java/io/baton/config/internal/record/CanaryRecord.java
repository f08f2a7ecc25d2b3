package io.baton.config.internal.record;

import io.baton.Item;
import io.baton.config.Canary;
import io.baton.config.ConfigException;
import io.baton.config.ConfigValue;
import io.baton.config.KeyChange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A change that is tried by some instances first: the record {@code $canary} in the space.
 *
 * @param revision of the record
 * @param id names the canary
 * @param author the author
 * @param comment the reason
 * @param since when it began, by its author's clock
 * @param lasts how long it may be in use anywhere; zero for no limit
 * @param labels that an instance must bear
 * @param percent of the instances with these labels
 * @param chosen the processes that try it, to their instances' ids; null for all that labels and percent choose
 * @param asked how often its instances were asked about it
 * @param held why it cannot be promoted; empty if it can
 * @param keys what it changes, by key
 */
public record CanaryRecord(
        long revision,
        String id,
        String author,
        String comment,
        Instant since,
        Duration lasts,
        SortedMap<String, String> labels,
        int percent,
        @Nullable SortedMap<String, String> chosen,
        long asked,
        String held,
        SortedMap<String, Key> keys) {

    /** The longest duration of a canary. */
    public static final Duration LONGEST = Duration.ofDays(30);

    /** The name of the record in the space. */
    public static final String KEY = "$canary";

    /**
     * The canary's change of one key.
     *
     * @param before its text when the canary was made; null if absent
     * @param now its text with the canary; null if removed
     * @param base its revision when the canary was made; 0 if absent
     * @param secret whether it is marked secret
     */
    public record Key(@Nullable String before, @Nullable String now, long base, boolean secret) {}

    public CanaryRecord {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        chosen = chosen == null ? null : Collections.unmodifiableSortedMap(new TreeMap<>(chosen));
        keys = Collections.unmodifiableSortedMap(new TreeMap<>(keys));
    }

    /**
     * Parses the record.
     *
     * @throws ConfigException if it is not in Baton's format
     */
    public static CanaryRecord of(Item item) {
        return Json.read(item, Written.class).canary(item);
    }

    /** Returns whether this process of the instance is to try it. The answer is the same each time. */
    public boolean chooses(String process, String instance, Map<String, String> bears) {
        return chosen == null ? shown().chooses(instance, bears) : chosen.containsKey(process);
    }

    /** Returns whether it should have ended before this, by its author's clock. */
    public boolean overdue(Instant now) {
        return !lasts.isZero() && now.isAfter(since.plus(lasts));
    }

    /** Returns these values with the canary's laid over them. */
    public SortedMap<String, ConfigValue> overlay(SortedMap<String, ConfigValue> values) {
        SortedMap<String, ConfigValue> all = new TreeMap<>(values);
        keys.forEach((key, to) -> {
            if (to.now() == null) {
                all.remove(key);
            } else {
                all.put(key, new ConfigValue(key, to.now(), revision, to.secret()));
            }
        });
        return all;
    }

    /** Returns whether it has this id and is not held. */
    public boolean mayBeHeld(String its) {
        return id.equals(its) && held.isEmpty();
    }

    public CanaryRecord held(String why) {
        return new CanaryRecord(revision, id, author, comment, since, lasts, labels, percent, chosen, asked, why, keys);
    }

    /** Returns the same for these processes only. */
    public CanaryRecord amongThese(SortedMap<String, String> processes) {
        return new CanaryRecord(
                revision, id, author, comment, since, lasts, labels, percent, processes, asked, held, keys);
    }

    /** Returns the same with one more request to its instances. */
    public CanaryRecord askingAgain() {
        return new CanaryRecord(
                revision, id, author, comment, since, lasts, labels, percent, chosen, asked + 1, held, keys);
    }

    public Canary shown() {
        List<KeyChange> changes = new ArrayList<>();
        keys.forEach((key, to) -> changes.add(
                new KeyChange(key, Optional.ofNullable(to.before()), Optional.ofNullable(to.now()), to.secret())));
        Map<String, String> processes = chosen == null ? Map.of() : chosen;
        return new Canary(id, author, since, lasts, labels, percent, processes, asked, held, List.copyOf(changes));
    }

    public byte[] encode() {
        return Json.write(new Written(
                id,
                author,
                comment,
                since.toEpochMilli(),
                lasts.toMillis(),
                labels,
                percent,
                chosen,
                asked,
                held,
                keys));
    }

    /** The contents of the record. */
    record Written(
            @Nullable String id,
            @Nullable String author,
            @Nullable String comment,
            long since,
            long lasts,
            @Nullable Map<String, String> labels,
            int percent,
            @Nullable Map<String, String> chosen,
            long asked,
            @Nullable String held,
            @Nullable Map<String, Key> keys) {

        CanaryRecord canary(Item from) {
            if (id == null || author == null || labels == null || keys == null) {
                throw new ConfigException(from.key() + " lacks what a canary has; another program may have written it");
            }
            return new CanaryRecord(
                    from.revision().order(),
                    id,
                    author,
                    comment == null ? "" : comment,
                    Instant.ofEpochMilli(since),
                    Duration.ofMillis(Math.min(Math.max(0, lasts), LONGEST.toMillis())),
                    new TreeMap<>(labels),
                    percent,
                    chosen == null ? null : new TreeMap<>(chosen),
                    asked,
                    held == null ? "" : held,
                    new TreeMap<>(keys));
        }
    }
}
