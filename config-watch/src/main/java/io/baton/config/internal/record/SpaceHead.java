package io.baton.config.internal.record;

import io.baton.Item;
import io.baton.config.ConfigException;
import io.baton.config.ConfigRetention;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Baton's data on a space as a whole: the record {@code $baton} in it.
 *
 * @param change the number of the last change
 * @param oldest the smallest number that is kept
 * @param retain the maximum number of changes to keep
 * @param retainBytes the maximum number of their bytes
 * @param kept the bytes that they take
 * @param secrets the keys that are marked secret
 * @param formerly formerly secret keys, with the number of the last change that still shows as secret
 */
public record SpaceHead(
        long change,
        long oldest,
        int retain,
        long retainBytes,
        Kept kept,
        SortedSet<String> secrets,
        SortedMap<String, Long> formerly) {

    /** The name of the record in the space. */
    public static final String KEY = "$baton";

    private static final int DEFAULT_RETAIN = 1_000;
    private static final long DEFAULT_RETAIN_BYTES = 16L << 20;

    /** A space that Baton has not written to. */
    public static final SpaceHead NONE =
            new SpaceHead(0, 1, DEFAULT_RETAIN, DEFAULT_RETAIN_BYTES, Kept.NOTHING, new TreeSet<>(), new TreeMap<>());

    public SpaceHead {
        secrets = Collections.unmodifiableSortedSet(new TreeSet<>(secrets));
        formerly = Collections.unmodifiableSortedMap(new TreeMap<>(formerly));
    }

    /**
     * Parses the record; returns {@link #NONE} if there is none.
     *
     * @throws ConfigException if it is not in Baton's format
     */
    public static SpaceHead of(Optional<Item> record) {
        return record.map(item -> Json.read(item, Written.class).head(item)).orElse(NONE);
    }

    public boolean secret(String key) {
        return secrets.contains(key);
    }

    /**
     * Returns whether a key's texts in this change and earlier ones are secret. They are if the key is secret now, or
     * was after a later change.
     */
    public boolean secret(String key, long number) {
        return secret(key) || number <= formerly.getOrDefault(key, 0L);
    }

    /** Returns the same with these marks from the last change on. */
    public SpaceHead secrets(SortedSet<String> marks) {
        SortedMap<String, Long> were = new TreeMap<>(formerly);
        secrets.forEach(key -> were.put(key, change));
        were.keySet().removeAll(marks);
        return new SpaceHead(change, oldest, retain, retainBytes, kept, marks, were);
    }

    /** Returns the same with these limits of retention. */
    public SpaceHead retaining(int changes, long bytes) {
        return new SpaceHead(change, oldest, changes, bytes, kept, secrets, formerly);
    }

    /** Returns the same after one more change, with this many bytes in the history. */
    public SpaceHead next(long bytes) {
        return new SpaceHead(change + 1, oldest, retain, retainBytes, kept.with(bytes), secrets, formerly);
    }

    /** Removes the oldest excess changes, at most this many. Never removes the newest. */
    public SpaceHead trimmed(int most) {
        long first = oldest;
        Kept left = kept;
        while (first < change && first - oldest < most && (change - first + 1 > retain || left.bytes() > retainBytes)) {
            left = left.withoutOldest();
            first++;
        }
        SortedMap<String, Long> were = new TreeMap<>(formerly);
        long reaches = first;
        were.values().removeIf(last -> last < reaches);
        return new SpaceHead(change, first, retain, retainBytes, left, secrets, were);
    }

    public ConfigRetention retention() {
        return new ConfigRetention(retain, retainBytes, kept.changes(), kept.bytes());
    }

    public byte[] encode() {
        return Json.write(new Written(change, oldest, retain, retainBytes, kept.blocks(), secrets, formerly));
    }

    /** The contents of the record. */
    record Written(
            long change,
            long oldest,
            int retain,
            long retainBytes,
            @Nullable List<Kept.@Nullable Block> kept,
            @Nullable Set<String> secrets,
            @Nullable Map<String, Long> formerly) {

        SpaceHead head(Item from) {
            if (change < 0 || oldest < 1 || retain < 1 || retainBytes < 0) {
                throw new ConfigException(
                        from.key() + " has numbers that cannot be; another program may have written it");
            }
            return new SpaceHead(
                    change,
                    oldest,
                    retain,
                    retainBytes == 0 ? DEFAULT_RETAIN_BYTES : retainBytes,
                    known(),
                    secrets == null ? new TreeSet<>() : new TreeSet<>(secrets),
                    formerly == null ? new TreeMap<>() : new TreeMap<>(formerly));
        }

        /** If the sizes do not cover all kept changes, they count as zero. */
        private Kept known() {
            long changes = Math.max(0, change - oldest + 1);
            if (kept != null && kept.stream().allMatch(each -> each != null && each.changes() > 0)) {
                Kept all = new Kept(kept);
                if (all.changes() == changes) {
                    return all;
                }
            }
            return changes == 0 ? Kept.NOTHING : new Kept(List.of(new Kept.Block(changes, 0)));
        }
    }
}
