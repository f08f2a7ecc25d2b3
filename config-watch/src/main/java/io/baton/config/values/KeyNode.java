package io.baton.config.values;

import io.baton.config.ConfigValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A path among the store's keys: a view that looks only at the keys it needs. A key's dots divide its path. A last name
 * of {@code json}, {@code yaml}, {@code yml} or {@code properties} makes it a document at the path before.
 */
final class KeyNode implements Node {

    /** The name of this layer. */
    static final String STORE = "store";

    private static final List<String> ENDINGS = List.of("json", "yaml", "yml", "properties");
    private static final int FEW = 4;

    /**
     * One state of the store.
     *
     * @param names the names found so far below each path, with their spellings
     */
    record Keys(SortedMap<String, ConfigValue> store, ParsedKeys parsed, Map<String, Map<String, List<String>>> names) {

        Keys(SortedMap<String, ConfigValue> store, ParsedKeys parsed) {
            this(store, parsed, new ConcurrentHashMap<>());
        }
    }

    private final Keys keys;
    private final String path;
    private final boolean leaf;

    /** Creates the root. */
    KeyNode(Keys keys) {
        this(keys, "", false);
    }

    /** Creates a node of a path; {@code leaf} if no key is below it. */
    private KeyNode(Keys keys, String path, boolean leaf) {
        this.keys = keys;
        this.path = path;
        this.leaf = leaf;
    }

    static Origin origin(ConfigValue value) {
        return new Origin(STORE, value.key(), value.revision(), 0, 0, value.secret());
    }

    private static boolean isDocument(String key) {
        int dot = key.lastIndexOf('.');
        return dot > 0 && ENDINGS.contains(key.substring(dot + 1));
    }

    /** Returns the path of a key's value. */
    static String path(String key) {
        return isDocument(key) ? key.substring(0, key.lastIndexOf('.')) : key;
    }

    private @Nullable ConfigValue own() {
        return path.isEmpty() || isDocument(path) ? null : keys.store().get(path);
    }

    @Override
    public @Nullable Value value() {
        ConfigValue own = own();
        return own == null ? null : keys.parsed().text(own);
    }

    @Override
    public boolean object() {
        return false;
    }

    /** Returns the document at this path; several ones are a conflict. */
    @Override
    public @Nullable Node document() {
        List<ConfigValue> found = new ArrayList<>(1);
        Node document = null;
        for (String ending : path.isEmpty() || leaf ? List.<String>of() : ENDINGS) {
            ConfigValue value = keys.store().get(path + "." + ending);
            if (value != null) {
                found.add(value);
                document = keys.parsed().document(value, Format.ofEnding(ending).orElseThrow());
            }
        }
        ConfigValue own = own();
        Value.Scalar text = own == null ? null : keys.parsed().text(own);
        if (own != null && text != null && text.beginsObject()) {
            found.add(own);
            document = text.structure();
        }
        return found.size() > 1 ? conflict(found) : document;
    }

    private Node conflict(List<ConfigValue> found) {
        List<String> named = found.stream().map(ConfigValue::key).toList();
        boolean secret = found.stream().anyMatch(ConfigValue::secret);
        Origin origin = new Origin(STORE, path, 0, 0, 0, secret);
        String reason = String.join(" and ", named) + " are two documents for one name (store)";
        return DocumentTree.broken(named.get(0), reason, origin);
    }

    @Override
    public Collection<String> names() {
        return leaf
                ? List.of()
                : spellings().values().stream().flatMap(List::stream).toList();
    }

    private Map<String, List<String>> spellings() {
        Map<String, List<String>> known = keys.names().get(path);
        if (known == null) {
            known = DocumentTree.index(findNames());
            keys.names().put(path, known);
        }
        return known;
    }

    /** Goes from key to key, but skips the keys below a name after a few. */
    private Set<String> findNames() {
        String begin = path.isEmpty() ? "" : path + ".";
        Set<String> found = new LinkedHashSet<>();
        String rest = begin;
        while (rest != null) {
            rest = findNames(begin, keys.store().tailMap(rest).keySet().iterator(), found);
        }
        found.remove("");
        return found;
    }

    /** Returns where to continue; null at the end. */
    private static @Nullable String findNames(String begin, Iterator<String> rest, Set<String> found) {
        int repeated = 0;
        while (rest.hasNext()) {
            String key = rest.next();
            if (!key.startsWith(begin)) {
                return null;
            }
            int end = key.indexOf('.', begin.length());
            if (end < 0) {
                if (!isDocument(key)) {
                    found.add(key.substring(begin.length()));
                }
            } else if (!found.add(key.substring(begin.length(), end)) && ++repeated > FEW) {
                return key.substring(0, end) + '/';
            }
        }
        return null;
    }

    private @Nullable String from(String least) {
        Iterator<String> rest = keys.store().tailMap(least).keySet().iterator();
        return rest.hasNext() ? rest.next() : null;
    }

    private boolean hasBelow(String child) {
        String next = from(child + ".");
        return next != null && next.startsWith(child + ".");
    }

    @Override
    public @Nullable Node child(String name) {
        if (name.isEmpty() || leaf) {
            return null;
        }
        String child = KeyNames.join(path, name);
        if (hasBelow(child)) {
            return new KeyNode(keys, child, false);
        }
        return keys.store().containsKey(child) && !isDocument(child) ? new KeyNode(keys, child, true) : null;
    }

    @Override
    public Collection<String> spellings(String canonical) {
        return leaf ? List.of() : spellings().getOrDefault(canonical, List.of());
    }

    @Override
    public Origin origin() {
        ConfigValue own = own();
        return own == null ? Origin.of(STORE, path.isEmpty() ? "*" : path + ".*") : origin(own);
    }
}
