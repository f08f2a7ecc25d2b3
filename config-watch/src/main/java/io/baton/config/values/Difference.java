package io.baton.config.values;

import io.baton.config.ConfigValue;
import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The keys in which a state of the store differs from the one before, by their first names. Computed at most once. */
final class Difference {

    private final WeakReference<@Nullable Layers> former;
    private volatile @Nullable Set<String> firstNames;

    /** Compares with these layers, if any; keys are computed only if they are not given. */
    Difference(@Nullable Layers former, @Nullable Collection<String> changedKeys) {
        this.former = new WeakReference<>(former);
        if (changedKeys != null) {
            Set<String> names = new HashSet<>();
            changedKeys.forEach(key -> names.add(firstName(key)));
            firstNames = names;
        }
    }

    private static String firstName(String key) {
        int dot = key.indexOf('.');
        return dot < 0 ? key : key.substring(0, dot);
    }

    /** Returns whether no key differs on which this path may depend. */
    boolean noneOf(String path, SortedMap<String, ConfigValue> store, Layers before) {
        Set<String> names = former.get() == before ? known(store, before) : compare(store, before.store());
        return path.isEmpty() ? names.isEmpty() : !names.contains(firstName(path));
    }

    private Set<String> known(SortedMap<String, ConfigValue> store, Layers before) {
        Set<String> names = firstNames;
        if (names == null) {
            names = compare(store, before.store());
            firstNames = names;
        }
        return names;
    }

    private static Set<String> compare(SortedMap<String, ConfigValue> store, SortedMap<String, ConfigValue> before) {
        Set<String> names = new HashSet<>();
        if (store == before) {
            return names;
        }
        Iterator<Map.Entry<String, ConfigValue>> older = before.entrySet().iterator();
        Map.@Nullable Entry<String, ConfigValue> was = next(older);
        for (Map.Entry<String, ConfigValue> is : store.entrySet()) {
            while (was != null && was.getKey().compareTo(is.getKey()) < 0) {
                names.add(firstName(was.getKey()));
                was = next(older);
            }
            if (was != null && was.getKey().equals(is.getKey())) {
                if (!was.getValue().equals(is.getValue())) {
                    names.add(firstName(is.getKey()));
                }
                was = next(older);
            } else {
                names.add(firstName(is.getKey()));
            }
        }
        while (was != null) {
            names.add(firstName(was.getKey()));
            was = next(older);
        }
        return names;
    }

    private static Map.@Nullable Entry<String, ConfigValue> next(Iterator<Map.Entry<String, ConfigValue>> entries) {
        return entries.hasNext() ? entries.next() : null;
    }
}
