package io.baton.config.values;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What all layers say of one path, the strongest first. */
final class LayeredValue {

    private final String path;
    private final List<Node> nodes;

    private LayeredValue(String path, List<Node> nodes) {
        this.path = path;
        this.nodes = nodes;
    }

    /** Of these nodes and their documents, down to the first that takes away what comes after it. */
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

    /** Of these nodes as they are. */
    static LayeredValue exactly(String path, List<Node> nodes) {
        return new LayeredValue(path, nodes);
    }

    String path() {
        return path;
    }

    List<Node> nodes() {
        return nodes;
    }

    /** By a name whose case, {@code -} and {@code _} do not matter. */
    LayeredValue relaxed(String name) {
        return child(name, node -> relaxed(node, name));
    }

    /** By the first name of a path: in the store exactly, for its keys may be many. */
    LayeredValue first(String name) {
        return child(name, node -> node instanceof KeyNode ? node.child(name) : namedIn(node, name));
    }

    /** By a name that is data itself; only variables cannot spell it. */
    LayeredValue exact(String name) {
        return child(name, node -> node.child(name));
    }

    /** By how it is written in a path: exactly, or else relaxed. */
    LayeredValue named(String name) {
        return child(name, node -> namedIn(node, name));
    }

    private @Nullable Node namedIn(Node node, String name) {
        Node exact = node.child(name);
        return exact != null ? exact : relaxed(node, name);
    }

    /** Of a list's item, for reasons: by whom it is told. */
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

    /** Whether nobody says anything. */
    boolean silent() {
        for (Node node : nodes) {
            if (node.value() != null || node.object() || !node.names().isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Whether any of it is marked secret as a whole. */
    boolean marked() {
        return nodes.stream().anyMatch(node -> node.origin().secret());
    }

    /** Whether it is secret, for whatever cause. */
    boolean secret(SecretPaths secrets) {
        return marked() || secrets.contains(path);
    }

    /**
     * What is below, without a type to go by: spellings of one name are one, unless a source tells them apart. By name, which is
     * canonical where spellings are one.
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
