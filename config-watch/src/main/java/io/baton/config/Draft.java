package io.baton.config;

import io.baton.Item;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
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
 * @param author who writes
 * @param comment why
 */
record Draft(
        SortedMap<String, Optional<String>> texts,
        SortedMap<String, Long> expected,
        SortedSet<String> marked,
        SortedSet<String> unmarked,
        OptionalLong after,
        Optional<Item> promoted,
        String author,
        String comment) {

    /** Every key that it says something of. */
    SortedSet<String> keys() {
        SortedSet<String> all = new TreeSet<>(texts.keySet());
        all.addAll(expected.keySet());
        all.addAll(marked);
        all.addAll(unmarked);
        return all;
    }
}
