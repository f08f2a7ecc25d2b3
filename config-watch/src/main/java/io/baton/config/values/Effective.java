package io.baton.config.values;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The effective value at a path without regard to a type. */
final class Effective {

    private Effective() {}

    /**
     * Returns the value that is taken whole; null if there is none, or an object. Loose texts of objects and lists
     * count as those.
     */
    static @Nullable Value value(LayeredValue at) {
        for (Node node : at.nodes()) {
            Value value = node.value();
            if (value instanceof Value.Scalar scalar && scalar.structured()) {
                DocumentTree structure = scalar.structure();
                if (structure.value() == null) {
                    return null;
                }
                return structure.value();
            }
            if (value != null) {
                return value;
            }
            if (node.object()) {
                return null;
            }
        }
        return null;
    }

    /**
     * A text, a list, or an empty object.
     *
     * @param path the path as spelled
     */
    record Leaf(String path, String text, boolean secret) {

        /** Omits the text, which may be secret. */
        @Override
        public String toString() {
            return path;
        }
    }

    /** Returns all leaves at a path and below, by a name that is the same for all spellings. */
    static Map<String, Leaf> leaves(LayeredValue at, SecretPaths secrets) {
        Map<String, Leaf> leaves = new LinkedHashMap<>();
        collect(at.path(), at, secrets, leaves);
        return leaves;
    }

    private static void collect(String name, LayeredValue at, SecretPaths secrets, Map<String, Leaf> leaves) {
        Value value = value(at);
        Map<String, LayeredValue> children = at.children(false);
        String text = value == null ? (children.isEmpty() && !at.silent() ? "{}" : null) : ValueTexts.of(value);
        if (text != null) {
            leaves.put(
                    name, new Leaf(at.path(), text, at.secret(secrets) || ValueTexts.holdsSecret(at, value, secrets)));
        }
        children.forEach((below, child) -> collect(KeyNames.join(name, below), child, secrets, leaves));
    }

    /** Returns the paths at and below this one that have a value, including removed ones. */
    static List<String> paths(LayeredValue at) {
        List<String> paths = new ArrayList<>();
        collect(at, paths);
        return paths;
    }

    private static void collect(LayeredValue at, List<String> paths) {
        Map<String, LayeredValue> children = at.children(false);
        if (value(at) != null || (children.isEmpty() && !at.silent())) {
            paths.add(at.path());
        }
        children.values().forEach(child -> collect(child, paths));
    }
}
