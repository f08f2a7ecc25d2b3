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
 * What Baton knows of a space as a whole: the record {@code $baton} in it.
 *
 * @param change the number of the last change
 * @param oldest the smallest number that is kept
 * @param retain how many are kept at most
 * @param retainBytes how many bytes of them
 * @param kept how many bytes they take
 * @param secrets the keys that are marked secret
 * @param formerly keys that were, by the number of the last change that is to be shown as secret still
 */
public record SpaceHead(
        long change,
        long oldest,
        int retain,
        long retainBytes,
        Kept kept,
        SortedSet<String> secrets,
        SortedMap<String, Long> formerly) {

    /** Its name in the space. */
    public static final String KEY = "$baton";

    private static final int DEFAULT_RETAIN = 1_000;
    private static final long DEFAULT_RETAIN_BYTES = 16L << 20;

    /** Of a space that Baton has not written to. */
    public static final SpaceHead NONE =
            new SpaceHead(0, 1, DEFAULT_RETAIN, DEFAULT_RETAIN_BYTES, Kept.NOTHING, new TreeSet<>(), new TreeMap<>());

    public SpaceHead {
        secrets = Collections.unmodifiableSortedSet(new TreeSet<>(secrets));
        formerly = Collections.unmodifiableSortedMap(new TreeMap<>(formerly));
    }

    /**
     * What the record says; {@link #NONE} if there is none.
     *
     * @throws ConfigException if it is not as Baton writes it
     */
    public static SpaceHead of(Optional<Item> record) {
        return record.map(item -> Json.read(item, Written.class).head(item)).orElse(NONE);
    }

    public boolean secret(String key) {
        return secrets.contains(key);
    }

    /** Whether what this change, or an earlier one, has of a key is secret: it is now, or it was when a later change was made. */
    public boolean secret(String key, long number) {
        return secret(key) || number <= formerly.getOrDefault(key, 0L);
    }

    /** The same with these marks from the last change on. */
    public SpaceHead secrets(SortedSet<String> marks) {
        SortedMap<String, Long> were = new TreeMap<>(formerly);
        secrets.forEach(key -> were.put(key, change));
        were.keySet().removeAll(marks);
        return new SpaceHead(change, oldest, retain, retainBytes, kept, marks, were);
    }

    /** The same, keeping this much. */
    public SpaceHead retaining(int changes, long bytes) {
        return new SpaceHead(change, oldest, changes, bytes, kept, secrets, formerly);
    }

    /** After one more change, whose place in the history takes so many bytes. */
    public SpaceHead next(long bytes) {
        return new SpaceHead(change + 1, oldest, retain, retainBytes, kept.with(bytes), secrets, formerly);
    }

    /** Without the oldest changes that are not to be kept any more, but no more than so many of them. Never without the newest. */
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

    /** As it stands in the record. */
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

        /** If it is not of all that are kept, they count as nothing. */
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
