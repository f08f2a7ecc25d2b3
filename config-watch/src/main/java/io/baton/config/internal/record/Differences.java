package io.baton.config.internal.record;

import io.baton.config.ConfigValue;
import io.baton.config.KeyChange;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The differences between two states of the store, by key. A value that was rewritten with the same text differs too,
 * so that no deletion and recreation of a key is missed.
 */
public record Differences(SortedMap<String, Difference> byKey) {

    /**
     * The difference of one key.
     *
     * @param before empty if it did not exist
     * @param now empty if it no longer exists
     * @param secret whether something in it is secret, or was
     */
    record Difference(Optional<ConfigValue> before, Optional<ConfigValue> now, boolean secret) {

        static Difference of(@Nullable ConfigValue before, @Nullable ConfigValue now) {
            boolean secret = (before != null && before.secret()) || (now != null && now.secret());
            return new Difference(Optional.ofNullable(before), Optional.ofNullable(now), secret);
        }

        Difference then(Difference next) {
            return new Difference(before, next.now, secret || next.secret);
        }

        boolean isNone() {
            return same(before.orElse(null), now.orElse(null));
        }

        KeyChange shown(String key) {
            return new KeyChange(key, before.map(ConfigValue::text), now.map(ConfigValue::text), secret);
        }
    }

    /** No differences. */
    public static final Differences NONE = new Differences(new TreeMap<>());

    /** Returns the keys that differ, or exist in only one of the maps. */
    public static Differences between(FrozenMap<ConfigValue> before, FrozenMap<ConfigValue> now) {
        SortedMap<String, Difference> all = new TreeMap<>();
        int old = 0;
        int another = 0;
        while (old < before.size() || another < now.size()) {
            int order = order(before, old, now, another);
            ConfigValue was = order <= 0 ? before.valueAt(old++) : null;
            ConfigValue is = order >= 0 ? now.valueAt(another++) : null;
            if (!same(was, is)) {
                String key =
                        was != null ? was.key() : Objects.requireNonNull(is).key();
                all.put(key, Difference.of(was, is));
            }
        }
        return new Differences(all);
    }

    private static int order(FrozenMap<?> before, int old, FrozenMap<?> now, int another) {
        if (old == before.size()) {
            return 1;
        }
        return another == now.size() ? -1 : before.keyAt(old).compareTo(now.keyAt(another));
    }

    /** Returns whether both are the same write of the same key. */
    @SuppressWarnings("ReferenceEquality") // a shortcut for the many values that are identical
    static boolean same(@Nullable ConfigValue one, @Nullable ConfigValue other) {
        if (one == other) {
            return true;
        }
        // Revisions are compared within one history; after a restore, another text may have the same one.
        return one != null
                && other != null
                && one.revision() == other.revision()
                && one.text().equals(other.text());
    }

    public boolean isEmpty() {
        return byKey.isEmpty();
    }

    /** Returns those of keys with this prefix. */
    public Differences under(String prefix) {
        return where(tail -> {
            SortedMap<String, Difference> found = new TreeMap<>();
            for (Map.Entry<String, Difference> each : tail.tailMap(prefix).entrySet()) {
                if (!each.getKey().startsWith(prefix)) {
                    break;
                }
                found.put(each.getKey(), each.getValue());
            }
            return found;
        });
    }

    /** Returns that of this key, if there is one. */
    public Differences of(String key) {
        return where(all -> all.subMap(key, key + "\0"));
    }

    private Differences where(Function<SortedMap<String, Difference>, SortedMap<String, Difference>> which) {
        return isEmpty() ? this : new Differences(which.apply(byKey));
    }

    /** Merges these and later ones; a key with its former value again is omitted. */
    public Differences then(Differences later) {
        SortedMap<String, Difference> all = new TreeMap<>(byKey);
        later.byKey.forEach((key, next) -> {
            Difference first = all.get(key);
            Difference both = first == null ? next : first.then(next);
            if (both.isNone()) {
                all.remove(key);
            } else {
                all.put(key, both);
            }
        });
        return new Differences(all);
    }

    /** Returns the same with these keys secret, whether or not the store marks them. */
    public Differences secretAt(Predicate<String> keys) {
        SortedMap<String, Difference> all = new TreeMap<>();
        byKey.forEach((key, each) ->
                all.put(key, new Difference(each.before(), each.now(), each.secret() || keys.test(key))));
        return new Differences(all);
    }

    /** Returns them in their public form. */
    public List<KeyChange> shown() {
        return byKey.entrySet().stream()
                .map(each -> each.getValue().shown(each.getKey()))
                .toList();
    }
}
