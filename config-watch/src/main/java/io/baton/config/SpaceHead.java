package io.baton.config;

import io.baton.Item;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
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
 */
record SpaceHead(long change, long oldest, int retain, long retainBytes, Kept kept, SortedSet<String> secrets) {

    /** Its name in the space. */
    static final String KEY = "$baton";

    private static final int DEFAULT_RETAIN = 1_000;
    private static final long DEFAULT_RETAIN_BYTES = 16L << 20;

    /** Of a space that Baton has not written to. */
    static final SpaceHead NONE =
            new SpaceHead(0, 1, DEFAULT_RETAIN, DEFAULT_RETAIN_BYTES, Kept.NOTHING, new TreeSet<>());

    SpaceHead {
        secrets = Collections.unmodifiableSortedSet(new TreeSet<>(secrets));
    }

    /**
     * What the record says; {@link #NONE} if there is none.
     *
     * @throws ConfigException if it is not as Baton writes it
     */
    static SpaceHead of(Optional<Item> record) {
        return record.map(item -> Json.read(item, Written.class).head(item)).orElse(NONE);
    }

    boolean secret(String key) {
        return secrets.contains(key);
    }

    /** The same with these marks. */
    SpaceHead secrets(SortedSet<String> marks) {
        return new SpaceHead(change, oldest, retain, retainBytes, kept, marks);
    }

    /** The same, keeping this much. */
    SpaceHead retaining(int changes, long bytes) {
        return new SpaceHead(change, oldest, changes, bytes, kept, secrets);
    }

    /** After one more change, whose place in the history takes so many bytes. */
    SpaceHead next(long bytes) {
        return new SpaceHead(change + 1, oldest, retain, retainBytes, kept.with(bytes), secrets);
    }

    /** Without the oldest changes that are not to be kept any more, but no more than so many of them. Never without the newest. */
    SpaceHead trimmed(int most) {
        long first = oldest;
        Kept left = kept;
        while (first < change && first - oldest < most && (change - first + 1 > retain || left.bytes() > retainBytes)) {
            left = left.withoutOldest();
            first++;
        }
        return new SpaceHead(change, first, retain, retainBytes, left, secrets);
    }

    ConfigRetention retention() {
        return new ConfigRetention(retain, retainBytes, kept.changes(), kept.bytes());
    }

    byte[] encode() {
        return Json.write(new Written(change, oldest, retain, retainBytes, kept.blocks(), secrets));
    }

    /** As it stands in the record. */
    record Written(
            long change,
            long oldest,
            int retain,
            long retainBytes,
            @Nullable List<Kept.@Nullable Block> kept,
            @Nullable Set<String> secrets) {

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
                    secrets == null ? new TreeSet<>() : new TreeSet<>(secrets));
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
