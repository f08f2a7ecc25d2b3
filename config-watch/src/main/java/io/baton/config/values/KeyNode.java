package io.baton.config.values;

import io.baton.config.ConfigValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A path among the store's keys: a view, which looks only at the keys that it is asked for. A key's dots divide its path; a last
 * name of {@code json}, {@code yaml}, {@code yml} or {@code properties} makes it a document at the path before.
 */
final class KeyNode implements Node {

    private static final List<String> ENDINGS = List.of("json", "yaml", "yml", "properties");

    private final SortedMap<String, ConfigValue> store;
    private final ParsedKeys parsed;
    private final String path;
    private volatile @Nullable Set<String> names;
    private volatile @Nullable Map<String, List<String>> spellings;

    KeyNode(SortedMap<String, ConfigValue> store, ParsedKeys parsed, String path) {
        this.store = store;
        this.parsed = parsed;
        this.path = path;
    }

    static Origin origin(ConfigValue value) {
        return new Origin("store", value.key(), value.revision(), 0, 0, value.secret());
    }

    private static boolean isDocument(String key) {
        int dot = key.lastIndexOf('.');
        return dot > 0 && ENDINGS.contains(key.substring(dot + 1));
    }

    /** Where a key's value belongs. */
    static String path(String key) {
        return isDocument(key) ? key.substring(0, key.lastIndexOf('.')) : key;
    }

    private @Nullable ConfigValue own() {
        return path.isEmpty() || isDocument(path) ? null : store.get(path);
    }

    @Override
    public @Nullable Value value() {
        ConfigValue own = own();
        return own == null ? null : parsed.text(own);
    }

    @Override
    public boolean object() {
        return false;
    }

    /** All documents at this path: one, or else it is a conflict. */
    @Override
    public @Nullable Node document() {
        List<ConfigValue> found = new ArrayList<>(1);
        Node document = null;
        for (String ending : path.isEmpty() ? List.<String>of() : ENDINGS) {
            ConfigValue value = store.get(path + "." + ending);
            if (value != null) {
                found.add(value);
                document = parsed.document(value, Format.ofEnding(ending).orElseThrow());
            }
        }
        ConfigValue own = own();
        if (own != null && own.text().stripLeading().startsWith("{")) {
            found.add(own);
            document = parsed.text(own).structure();
        }
        return found.size() > 1 ? conflict(found) : document;
    }

    private Node conflict(List<ConfigValue> found) {
        List<String> keys = found.stream().map(ConfigValue::key).toList();
        boolean secret = found.stream().anyMatch(ConfigValue::secret);
        Origin origin = new Origin("store", path, 0, 0, 0, secret);
        String reason = String.join(" and ", keys) + " are two documents for one name (store)";
        return Tree.broken(keys.get(0), reason, origin);
    }

    @Override
    public Collection<String> names() {
        Set<String> known = names;
        if (known == null) {
            known = findNames();
            names = known;
        }
        return known;
    }

    /** From name to name, passing over what is below each. */
    private Set<String> findNames() {
        String begin = path.isEmpty() ? "" : path + ".";
        Set<String> found = new LinkedHashSet<>();
        String key = from(begin);
        while (key != null && key.startsWith(begin)) {
            int end = key.indexOf('.', begin.length());
            if (end >= 0) {
                found.add(key.substring(begin.length(), end));
                key = from(key.substring(0, end) + '/');
            } else {
                if (!isDocument(key)) {
                    found.add(key.substring(begin.length()));
                }
                key = from(key + '\0');
            }
        }
        found.remove("");
        return found;
    }

    private @Nullable String from(String least) {
        SortedMap<String, ConfigValue> rest = store.tailMap(least);
        return rest.isEmpty() ? null : rest.firstKey();
    }

    private boolean hasBelow(String child) {
        String next = from(child + ".");
        return next != null && next.startsWith(child + ".");
    }

    @Override
    public @Nullable Node child(String name) {
        if (name.isEmpty()) {
            return null;
        }
        String child = Names.join(path, name);
        boolean there = hasBelow(child) || (store.containsKey(child) && !isDocument(child));
        return there ? new KeyNode(store, parsed, child) : null;
    }

    @Override
    public Collection<String> spellings(String canonical) {
        Map<String, List<String>> known = spellings;
        if (known == null) {
            known = Tree.index(names());
            spellings = known;
        }
        return known.getOrDefault(canonical, List.of());
    }

    @Override
    public Origin origin() {
        ConfigValue own = own();
        return own == null ? Origin.of("store", path.isEmpty() ? "*" : path + ".*") : origin(own);
    }
}
