package io.baton.config.internal.write;

import io.baton.Item;
import io.baton.config.internal.record.HistoryRecord;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What is to be written.
 *
 * @param texts by key; empty: it is to be removed
 * @param expected the revision that a key must have; 0: it must not be there
 * @param marked keys that are to be secret
 * @param unmarked keys that are not to be secret any more
 * @param after the number that the last change must have, if one was read to make this
 * @param promoted the canary that this makes a change for all, as it was read
 * @param part which part of a change it is; empty if it is all of it
 * @param author who writes
 * @param comment why
 */
public record Draft(
        SortedMap<String, Optional<String>> texts,
        SortedMap<String, Long> expected,
        SortedSet<String> marked,
        SortedSet<String> unmarked,
        OptionalLong after,
        Optional<Item> promoted,
        Optional<HistoryRecord.Part> part,
        String author,
        String comment) {

    /**
     * What it says of these keys, as a part of it.
     *
     * @param also keys of which only the expectations are a part of it
     */
    Draft part(SortedSet<String> keys, Set<String> also, HistoryRecord.Part which) {
        var its = new TreeMap<String, Optional<String>>();
        var revisions = new TreeMap<String, Long>();
        var secret = new TreeSet<String>();
        var open = new TreeSet<String>();
        for (String key : keys) {
            Optional<String> text = texts.get(key);
            if (text != null) {
                its.put(key, text);
            }
            if (marked.contains(key)) {
                secret.add(key);
            }
            if (unmarked.contains(key)) {
                open.add(key);
            }
        }
        Set<String> checked = new TreeSet<>(also);
        checked.addAll(keys);
        for (String key : checked) {
            Long revision = expected.get(key);
            if (revision != null) {
                revisions.put(key, revision);
            }
        }
        return new Draft(its, revisions, secret, open, after, promoted, Optional.of(which), author, comment);
    }

    /** The same, of what is there after this change. */
    Draft after(long change) {
        return new Draft(texts, expected, marked, unmarked, OptionalLong.of(change), promoted, part, author, comment);
    }

    /** Every key that it says something of. */
    public SortedSet<String> keys() {
        SortedSet<String> all = new TreeSet<>(texts.keySet());
        all.addAll(expected.keySet());
        all.addAll(marked);
        all.addAll(unmarked);
        return all;
    }
}
