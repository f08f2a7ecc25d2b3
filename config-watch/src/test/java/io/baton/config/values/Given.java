package io.baton.config.values;

import io.baton.config.ConfigValue;
import io.baton.config.UnknownFields;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Texts in layers, for tests. */
final class Given {

    private Given() {}

    /** Keys and texts by turns; each key is of the revision that its place gives. */
    static SortedMap<String, ConfigValue> store(String... keysAndTexts) {
        SortedMap<String, ConfigValue> store = new TreeMap<>();
        for (int index = 0; index < keysAndTexts.length; index += 2) {
            String key = keysAndTexts[index];
            store.put(key, new ConfigValue(key, keysAndTexts[index + 1], 1 + index / 2, false));
        }
        return Collections.unmodifiableSortedMap(store);
    }

    /** With one key marked secret. */
    static SortedMap<String, ConfigValue> marked(SortedMap<String, ConfigValue> store, String key) {
        SortedMap<String, ConfigValue> marked = new TreeMap<>(store);
        marked.computeIfPresent(key, (name, value) -> new ConfigValue(name, value.text(), value.revision(), true));
        return marked;
    }

    static Layers layers(String... keysAndTexts) {
        return Bundled.builder().build().with(store(keysAndTexts));
    }

    static Layers environment(Map<String, String> variables) {
        return Bundled.builder().environment("SHOP_", variables).build().with(store());
    }

    static SecretPaths none() {
        return SecretPaths.of();
    }

    static <T> T bind(Class<T> type, Layers layers) {
        return bind(type, layers, UnknownFields.REJECT);
    }

    static <T> T bind(Class<T> type, Layers layers, UnknownFields unknown) {
        return new TypeBinder<>("payments", type, unknown, none(), Converters.none(), Optional.empty()).bind(layers);
    }

    /** Bound to {@code payments} from one document. */
    static <T> T bind(Class<T> type, String ending, String document) {
        return bind(type, layers("payments." + ending, document));
    }

    /** Why it is not bound. */
    static String refused(Class<?> type, Layers layers) {
        try {
            Object bound = bind(type, layers);
            throw new AssertionError("bound: " + bound);
        } catch (Unbindable refused) {
            return refused.reason();
        }
    }
}
