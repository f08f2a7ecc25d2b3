package io.baton.config.values;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A parsed document, or a part of one. Not modified after it is built. */
final class DocumentTree implements Node {

    private final Origin origin;
    private final boolean object;
    private final Map<String, DocumentTree> children = new LinkedHashMap<>();
    private @Nullable Value value;
    private volatile @Nullable Map<String, List<String>> spellings;

    private DocumentTree(Origin origin, boolean object, @Nullable Value value) {
        this.origin = origin;
        this.object = object;
        this.value = value;
    }

    static DocumentTree of(Value value) {
        return new DocumentTree(value.origin(), false, value);
    }

    /** Creates an object to be filled. */
    static DocumentTree object(Origin origin) {
        return new DocumentTree(origin, true, null);
    }

    /** Creates a tree to be filled, without a value until then. */
    static DocumentTree paths(Origin origin) {
        return new DocumentTree(origin, false, null);
    }

    static DocumentTree broken(String key, String reason, Origin origin) {
        return of(new Value.Broken(key, reason, origin));
    }

    /** Returns false if there is a child with this name already. */
    boolean add(String name, DocumentTree child) {
        return children.putIfAbsent(name, child) == null;
    }

    /** Puts a text at a path. */
    void put(List<String> path, String text, Origin where) {
        if (path.isEmpty()) {
            value = Value.Scalar.loose(text, where);
        } else {
            children.computeIfAbsent(path.get(0), name -> paths(where)).put(path.subList(1, path.size()), text, where);
        }
    }

    /** Returns why it cannot be used; null if it can. */
    Value.@Nullable Broken trouble() {
        return value instanceof Value.Broken broken ? broken : null;
    }

    @Override
    public @Nullable Value value() {
        return value;
    }

    @Override
    public boolean object() {
        return object;
    }

    @Override
    public Collection<String> names() {
        return children.keySet();
    }

    @Override
    public @Nullable Node child(String name) {
        return children.get(name);
    }

    @Override
    public Collection<String> spellings(String canonical) {
        Map<String, List<String>> known = spellings;
        if (known == null) {
            known = index(children.keySet());
            spellings = known;
        }
        return known.getOrDefault(canonical, List.of());
    }

    static Map<String, List<String>> index(Collection<String> names) {
        Map<String, List<String>> index = new HashMap<>();
        for (String name : names) {
            index.computeIfAbsent(KeyNames.canonical(name), canonical -> new ArrayList<>(1))
                    .add(name);
        }
        return index;
    }

    @Override
    public Origin origin() {
        return origin;
    }
}
