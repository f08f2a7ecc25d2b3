package io.baton.config.values;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The effective value at a path without regard to a type. */
final class Effective {

    private Effective() {}

    /**
     * Returns the value that is taken whole; null if there is none, or an object. Loose texts of objects and lists
     * count as those.
     */
    static @Nullable Value value(LayeredValue at) {
        Value written = written(at);
        return written instanceof Value.Scalar scalar && scalar.structured()
                ? scalar.structure().value()
                : written;
    }

    /** Returns the same as written: a text remains one, whatever it begins with. */
    private static @Nullable Value written(LayeredValue at) {
        Node decisive = decisive(at);
        return decisive == null ? null : decisive.value();
    }

    /** Returns the strongest node that has a value or an object there; null if none has. */
    private static @Nullable Node decisive(LayeredValue at) {
        for (Node node : at.nodes()) {
            if (node.value() != null || node.object()) {
                return node;
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
        Map<String, LayeredValue> children = at.children(false);
        leaf(at, false, children.isEmpty(), secrets).ifPresent(leaf -> leaves.put(name, leaf));
        children.forEach((below, child) -> collect(KeyNames.join(name, below), child, secrets, leaves));
    }

    /**
     * Returns what the store has at a path and below as it is written, by path: each spelling of a name, texts that
     * also read as lists or objects, and {@code null}. A type may tell these apart, which {@link #leaves} does not.
     * A value that an override replaces, in the same spelling, is not in use and is omitted.
     */
    static Map<String, Leaf> writtenInStore(LayeredValue at, SecretPaths secrets) {
        Map<String, Leaf> leaves = new LinkedHashMap<>();
        collectWritten(at, secrets, leaves);
        return leaves;
    }

    private static void collectWritten(LayeredValue at, SecretPaths secrets, Map<String, Leaf> leaves) {
        List<Node> nodes = at.nodes().stream().filter(Effective::inStore).toList();
        LayeredValue store = LayeredValue.exactly(at.path(), nodes);
        Set<String> names = store.children(true).keySet();
        Node decisive = decisive(at);
        if (decisive != null && inStore(decisive)) {
            leaf(store, true, names.isEmpty(), secrets).ifPresent(leaf -> leaves.put(at.path(), leaf));
        }
        names.forEach(name -> collectWritten(at.exact(name), secrets, leaves));
    }

    private static boolean inStore(Node node) {
        return KeyNode.STORE.equals(node.origin().layer());
    }

    private static Optional<Leaf> leaf(LayeredValue at, boolean asWritten, boolean childless, SecretPaths secrets) {
        return Optional.ofNullable(text(at, asWritten, childless))
                .map(text -> new Leaf(at.path(), text, secret(at, asWritten, secrets)));
    }

    private static @Nullable String text(LayeredValue at, boolean asWritten, boolean childless) {
        Value written = written(at);
        Value value = asWritten ? written : value(at);
        if (value == null) {
            return childless && !at.silent() ? "{}" : null;
        }
        if (value instanceof Value.Broken && written instanceof Value.Scalar text) {
            return text.text(); // it may be meant as a text
        }
        return asWritten && value instanceof Value.Nothing ? "null" : ValueTexts.of(value);
    }

    /** A text that begins as a list or an object may have a secret within; if it is malformed, that is not known. */
    private static boolean secret(LayeredValue at, boolean asWritten, SecretPaths secrets) {
        Value value = value(at);
        return at.secret(secrets)
                || ValueTexts.holdsSecret(at, value, secrets)
                || (value instanceof Value.Broken && !secrets.isEmpty())
                || (asWritten && leaves(at, secrets).values().stream().anyMatch(Leaf::secret));
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
