package io.baton.config.values;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The values of all layers at one path, strongest first. */
final class LayeredValue {

    private final String path;
    private final List<Node> nodes;

    private LayeredValue(String path, List<Node> nodes) {
        this.path = path;
        this.nodes = nodes;
    }

    /** Uses these nodes and their documents, up to the first that removes all weaker ones. */
    static LayeredValue of(String path, Collection<? extends @Nullable Node> sources) {
        List<Node> nodes = new ArrayList<>();
        for (Node source : sources) {
            if (source == null) {
                continue;
            }
            nodes.add(source);
            Node document = source.document();
            if (document != null) {
                nodes.add(document);
            }
            if (source.value() instanceof Value.Nothing
                    || (document != null && document.value() instanceof Value.Nothing)) {
                break;
            }
        }
        return new LayeredValue(path, nodes);
    }

    /** Uses exactly these nodes. */
    static LayeredValue exactly(String path, List<Node> nodes) {
        return new LayeredValue(path, nodes);
    }

    String path() {
        return path;
    }

    List<Node> nodes() {
        return nodes;
    }

    /** Finds a child by name, regardless of case, {@code -} and {@code _}. */
    LayeredValue relaxed(String name) {
        return child(name, node -> relaxed(node, name));
    }

    /** Finds a child by the first name of a path. The name must be exact in the store, whose keys may be many. */
    LayeredValue first(String name) {
        return child(name, node -> node instanceof KeyNode ? node.child(name) : namedIn(node, name));
    }

    /** Finds a child by a name that is data, exactly; only variables cannot spell it. */
    LayeredValue exact(String name) {
        return child(name, node -> node.child(name));
    }

    /** Finds a child by its name in a path: exactly, or else relaxed. */
    LayeredValue named(String name) {
        return child(name, node -> namedIn(node, name));
    }

    private @Nullable Node namedIn(Node node, String name) {
        Node exact = node.child(name);
        return exact != null ? exact : relaxed(node, name);
    }

    /** Returns a list's item, with its source, for reasons. */
    LayeredValue item(int index) {
        List<Node> items = new ArrayList<>();
        for (Node node : nodes) {
            if (node.value() instanceof Value.Items list && index < list.items().size()) {
                items.add(list.items().get(index));
                break;
            }
        }
        return new LayeredValue(KeyNames.item(path, index), items);
    }

    private interface Step {
        @Nullable
        Node from(Node node);
    }

    private LayeredValue child(String name, Step step) {
        List<Node> below = new ArrayList<>(nodes.size());
        for (Node node : nodes) {
            Node child = node.value() instanceof Value.Broken ? node : step.from(node);
            if (child != null) {
                below.add(child);
            }
        }
        return of(KeyNames.join(path, name), below);
    }

    private @Nullable Node relaxed(Node node, String name) {
        Collection<String> spellings = node.spellings(KeyNames.canonical(name));
        if (spellings.size() < 2) {
            return spellings.isEmpty() ? null : node.child(spellings.iterator().next());
        }
        List<String> spelled =
                spellings.stream().map(each -> KeyNames.join(path, each)).toList();
        String reason = String.join(" and ", spelled) + " are one name, written in two ways " + node.origin();
        return DocumentTree.broken(KeyNames.join(path, name), reason, node.origin());
    }

    /** Returns whether no layer has a value. */
    boolean silent() {
        for (Node node : nodes) {
            if (node.value() != null || node.object() || !node.names().isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether any of it is marked secret as a whole. */
    boolean marked() {
        return nodes.stream().anyMatch(node -> node.origin().secret());
    }

    /** Returns whether it is secret, by mark or by path. */
    boolean secret(SecretPaths secrets) {
        return marked() || secrets.contains(path);
    }

    /**
     * Returns the children without regard to a type, by name. Spellings of one name are merged under its canonical
     * form, unless one source has several of them.
     *
     * @param data whether the names are data, so that each spelling is a name of its own
     */
    Map<String, LayeredValue> children(boolean data) {
        Map<String, Set<String>> groups = spelledNames();
        Map<String, LayeredValue> children = new LinkedHashMap<>();
        groups.forEach((canonical, names) -> {
            if (data || hasSeveralSpellings(canonical)) {
                names.forEach(name -> children.put(name, exact(name)));
            } else {
                children.put(canonical, relaxed(names.iterator().next()));
            }
        });
        for (Node node : nodes) {
            if (node instanceof Variables variables) {
                variables.namesBeside(groups.keySet()).forEach(name -> children.computeIfAbsent(name, this::exact));
            }
        }
        return children;
    }

    private Map<String, Set<String>> spelledNames() {
        Map<String, Set<String>> groups = new LinkedHashMap<>();
        for (Node node : nodes) {
            if (node instanceof Variables) {
                continue;
            }
            for (String name : node.names()) {
                groups.computeIfAbsent(KeyNames.canonical(name), key -> new LinkedHashSet<>())
                        .add(name);
            }
        }
        return groups;
    }

    private boolean hasSeveralSpellings(String canonical) {
        return nodes.stream().anyMatch(node -> node.spellings(canonical).size() > 1);
    }
}
