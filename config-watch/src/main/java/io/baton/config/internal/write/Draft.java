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
 * A change to write.
 *
 * @param texts by key; empty to remove the key
 * @param expected the revision that a key must have; 0 if it must be absent
 * @param marked keys to mark secret
 * @param unmarked keys to unmark
 * @param after the number that the last change must have, if the draft depends on it
 * @param promoted the canary that this promotes, as it was read
 * @param part the part of a change; empty for a whole change
 * @param author the author
 * @param comment the reason
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
     * Returns the part of it with these keys.
     *
     * @param also keys of which only the expectations are in this part
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

    /** Returns the same, based on the state after this change. */
    Draft after(long change) {
        return new Draft(texts, expected, marked, unmarked, OptionalLong.of(change), promoted, part, author, comment);
    }

    /** Returns every key in it. */
    public SortedSet<String> keys() {
        SortedSet<String> all = new TreeSet<>(texts.keySet());
        all.addAll(expected.keySet());
        all.addAll(marked);
        all.addAll(unmarked);
        return all;
    }
}
