package io.baton.config;

import io.baton.Item;
import java.util.Collections;
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
 * @param retain how many are kept
 * @param secrets the keys that are marked secret
 */
record SpaceHead(long change, long oldest, int retain, SortedSet<String> secrets) {

    /** Its name in the space. */
    static final String KEY = "$baton";

    /** Of a space that Baton has not written to. */
    static final SpaceHead NONE = new SpaceHead(0, 1, 1_000, new TreeSet<>());

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
        return new SpaceHead(change, oldest, retain, marks);
    }

    byte[] encode() {
        return Json.write(new Written(change, oldest, retain, secrets));
    }

    /** As it stands in the record. */
    record Written(
            long change, long oldest, int retain, @Nullable Set<String> secrets) {

        SpaceHead head(Item from) {
            if (change < 0 || oldest < 1 || retain < 1) {
                throw new ConfigException(
                        from.key() + " has numbers that cannot be; another program may have written it");
            }
            return new SpaceHead(change, oldest, retain, secrets == null ? new TreeSet<>() : new TreeSet<>(secrets));
        }
    }
}
