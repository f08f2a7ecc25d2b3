package io.baton.config.internal.record;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A sorted, immutable map in two arrays. A changed map costs one array copy, and shares the keys array where only
 * values differ. Views of a part share both arrays.
 */
@SuppressWarnings("JdkObsolete") // a snapshot shows no more than a SortedMap
public final class FrozenMap<V> extends AbstractMap<String, V> implements SortedMap<String, V> {

    private final String[] keys;
    private final Object[] values;
    private final int from;
    private final int to;

    private FrozenMap(String[] keys, Object[] values, int from, int to) {
        this.keys = keys;
        this.values = values;
        this.from = from;
        this.to = to;
    }

    /** Returns an empty map. */
    public static <V> FrozenMap<V> empty() {
        return new FrozenMap<>(new String[0], new Object[0], 0, 0);
    }

    /** Returns a copy of this map. */
    public static <V> FrozenMap<V> copyOf(SortedMap<String, V> all) {
        if (all instanceof FrozenMap<V> frozen) {
            return frozen;
        }
        if (all.comparator() != null) {
            throw new IllegalArgumentException("keys in another order");
        }
        return new FrozenMap<>(all.keySet().toArray(String[]::new), all.values().toArray(), 0, all.size());
    }

    /** Returns whether it is the same object: a cheap check that nothing differs. */
    @SuppressWarnings("ReferenceEquality")
    public boolean is(FrozenMap<V> other) {
        return this == other;
    }

    /** Returns a map with these values put, or removed where there is no value. */
    public FrozenMap<V> with(SortedMap<String, Optional<V>> changes) {
        return replacesOnly(changes) ? replaced(changes) : merged(changes);
    }

    /** Returns a view of the keys with this prefix. */
    FrozenMap<V> startingWith(String prefix) {
        int first = lowest(prefix);
        int end = first;
        while (end < to && keys[end].startsWith(prefix)) {
            end++;
        }
        return new FrozenMap<>(keys, values, first, end);
    }

    private boolean replacesOnly(SortedMap<String, Optional<V>> changes) {
        return changes.entrySet().stream()
                .allMatch(change -> change.getValue().isPresent() && containsKey(change.getKey()));
    }

    private FrozenMap<V> replaced(SortedMap<String, Optional<V>> changes) {
        Object[] next = values.clone();
        changes.forEach((key, value) -> next[index(key)] = value.orElseThrow());
        return new FrozenMap<>(keys, next, from, to);
    }

    private FrozenMap<V> merged(SortedMap<String, Optional<V>> changes) {
        String[] nextKeys = new String[size() + changes.size()];
        Object[] nextValues = new Object[nextKeys.length];
        int at = from;
        int count = 0;
        for (Map.Entry<String, Optional<V>> change : changes.entrySet()) {
            while (at < to && keys[at].compareTo(change.getKey()) < 0) {
                nextKeys[count] = keys[at];
                nextValues[count++] = values[at++];
            }
            if (at < to && keys[at].equals(change.getKey())) {
                at++;
            }
            if (change.getValue().isPresent()) {
                nextKeys[count] = change.getKey();
                nextValues[count++] = change.getValue().orElseThrow();
            }
        }
        System.arraycopy(keys, at, nextKeys, count, to - at);
        System.arraycopy(values, at, nextValues, count, to - at);
        return new FrozenMap<>(nextKeys, nextValues, 0, count + to - at);
    }

    /** Returns the index of the key, or its insertion point as {@link Arrays#binarySearch}. */
    private int index(String key) {
        return Arrays.binarySearch(keys, from, to, key);
    }

    /** Returns the index of the first key that is not smaller. */
    private int lowest(String key) {
        int index = index(key);
        return index < 0 ? -index - 1 : index;
    }

    /** Returns the key at this place, from 0 on. */
    public String keyAt(int place) {
        return keys[from + place];
    }

    /** Returns the value at this place, from 0 on. */
    public V valueAt(int place) {
        return value(from + place);
    }

    @SuppressWarnings("unchecked")
    private V value(int index) {
        return (V) values[index];
    }

    @Override
    public @Nullable V get(@Nullable Object key) {
        int index = key instanceof String name ? index(name) : -1;
        return index < 0 ? null : value(index);
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return key instanceof String name && index(name) >= 0;
    }

    @Override
    public int size() {
        return to - from;
    }

    @Override
    public @Nullable Comparator<? super String> comparator() {
        return null;
    }

    @Override
    public SortedMap<String, V> subMap(String fromKey, String toKey) {
        if (fromKey.compareTo(toKey) > 0) {
            throw new IllegalArgumentException(fromKey + " is after " + toKey);
        }
        return new FrozenMap<>(keys, values, lowest(fromKey), lowest(toKey));
    }

    @Override
    public SortedMap<String, V> headMap(String toKey) {
        return new FrozenMap<>(keys, values, from, lowest(toKey));
    }

    @Override
    public SortedMap<String, V> tailMap(String fromKey) {
        return new FrozenMap<>(keys, values, lowest(fromKey), to);
    }

    @Override
    public String firstKey() {
        return existing(from);
    }

    @Override
    public String lastKey() {
        return existing(to - 1);
    }

    private String existing(int index) {
        if (isEmpty()) {
            throw new NoSuchElementException();
        }
        return keys[index];
    }

    @Override
    public Set<Map.Entry<String, V>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<String, V>> iterator() {
                return new Entries();
            }

            @Override
            public int size() {
                return FrozenMap.this.size();
            }
        };
    }

    private final class Entries implements Iterator<Map.Entry<String, V>> {

        private int next = from;

        @Override
        public boolean hasNext() {
            return next < to;
        }

        @Override
        public Map.Entry<String, V> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            int index = next++;
            return new SimpleImmutableEntry<>(keys[index], value(index));
        }
    }
}
