package io.baton.config.values;

import io.baton.config.ConfigValue;
import io.baton.config.Explanation;
import io.baton.config.KeyChange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * All layers together, at one state of the store. Immutable, for any thread; each document is parsed once, on first
 * use. The first name of a path must be spelled as in the store. In later names, case, {@code -} and {@code _} do not
 * matter.
 */
public final class Layers {

    private final Bundled bundled;
    private final KeyNode.Keys keys;
    private final Difference difference;

    Layers(Bundled bundled, SortedMap<String, ConfigValue> store, ParsedKeys parsed, Difference difference) {
        this.bundled = bundled;
        this.keys = new KeyNode.Keys(store, parsed);
        this.difference = difference;
    }

    SortedMap<String, ConfigValue> store() {
        return keys.store();
    }

    ParsedKeys parsed() {
        return keys.parsed();
    }

    /**
     * Returns the effective text of a key, or of a path within a document; JSON for an object or a list.
     *
     * @throws Unbindable if it is in a malformed document
     */
    public Optional<String> text(String path) {
        ConfigValue own = store().get(path);
        if (own != null && bundled.overrides().isEmpty()) {
            return Optional.of(own.text());
        }
        LayeredValue at = at(path);
        if (own != null && !overridden(at)) {
            return Optional.of(own.text());
        }
        if (Effective.value(at) instanceof Value.Broken broken) {
            throw broken.failure();
        }
        return Optional.ofNullable(ValueTexts.full(at));
    }

    /**
     * Returns where the value of a path comes from. Does not throw: the explanation shows a malformed document as such.
     */
    public Explanation explain(String path, SecretPaths secrets) {
        LayeredValue at = at(path);
        boolean secret = at.secret(secrets);
        List<Explanation.Layer> layers = new ArrayList<>();
        for (Node node : at.nodes()) {
            LayeredValue only = LayeredValue.exactly(path, List.of(node));
            boolean toldByDocument = node.value() instanceof Value.Scalar scalar
                    && scalar.structured()
                    && node.names().isEmpty()
                    && node.document() != null;
            if (!only.silent() && !toldByDocument) {
                String said = secret ? ValueTexts.SECRET : ValueTexts.shown(only, secrets);
                Origin origin = node.origin();
                layers.add(new Explanation.Layer(origin.layer(), origin.place(), said == null ? "null" : said));
            }
        }
        String effective = ValueTexts.full(at) == null ? null : ValueTexts.shown(at, secrets);
        return new Explanation(path, Optional.ofNullable(effective), layers);
    }

    /** Returns the effective values at this path and below that differ from the former ones, by path. */
    public List<KeyChange> changes(String path, Layers before, SecretPaths secrets) {
        if (same(path, before)) {
            return List.of();
        }
        return differences(Effective.leaves(before.at(path), secrets), Effective.leaves(at(path), secrets));
    }

    /**
     * Returns what is written in another way in the store, at this path and below: the spelling of a name, a text that
     * also reads as a list or an object, or {@code null}. Some types tell these apart, though {@link #changes} does not.
     * What an override replaces is omitted.
     */
    public List<KeyChange> rewritten(String path, Layers before, SecretPaths secrets) {
        if (same(path, before)) {
            return List.of();
        }
        return differences(
                Effective.writtenInStore(before.at(path), secrets), Effective.writtenInStore(at(path), secrets));
    }

    private static List<KeyChange> differences(Map<String, Effective.Leaf> was, Map<String, Effective.Leaf> is) {
        Map<String, KeyChange> changes = new LinkedHashMap<>();
        was.forEach((name, leaf) -> put(changes, name, leaf, is.get(name)));
        is.forEach((name, leaf) -> put(changes, name, was.get(name), leaf));
        return List.copyOf(changes.values());
    }

    private static void put(
            Map<String, KeyChange> changes, String name, Effective.@Nullable Leaf was, Effective.@Nullable Leaf is) {
        Optional<String> before = Optional.ofNullable(was).map(Effective.Leaf::text);
        Optional<String> now = Optional.ofNullable(is).map(Effective.Leaf::text);
        if (!before.equals(now)) {
            Effective.Leaf either = is != null ? is : was;
            boolean secret = (was != null && was.secret()) || (is != null && is.secret());
            changes.put(name, new KeyChange(either == null ? name : either.path(), before, now, secret));
        }
    }

    /**
     * Returns whether the text of a key of the store is secret or contains a secret. A malformed document cannot be
     * examined: it is secret if there are any secret paths.
     */
    public boolean secretKey(String key, SecretPaths secrets) {
        ConfigValue value = store().get(key);
        if (value == null || value.secret()) {
            return value != null;
        }
        if (secrets.isEmpty()) {
            return false;
        }
        String path = KeyNode.path(key);
        if (secrets.contains(path) || secrets.contains(key) || secrets.below(path)) {
            return true;
        }
        DocumentTree tree = parsed().tree(value);
        if (tree.trouble() != null) {
            return true;
        }
        LayeredValue only = LayeredValue.exactly(path, List.of(tree));
        return Effective.leaves(only, secrets).values().stream().anyMatch(Effective.Leaf::secret);
    }

    /**
     * Returns whether nothing on which this path may depend has changed; cheap if these layers were made from {@code
     * before}.
     */
    public boolean same(String path, Layers before) {
        if (before == this) {
            return true;
        }
        return bundled == before.bundled && difference.noneOf(path, store(), before);
    }

    private boolean overridden(LayeredValue at) {
        return at.nodes().stream()
                .anyMatch(node -> Bundled.OVERRIDE.equals(node.origin().layer()));
    }

    /** Returns the values of all layers at a path. */
    LayeredValue at(String path) {
        List<Node> sources = new ArrayList<>(bundled.overrides());
        sources.add(new KeyNode(keys));
        sources.addAll(bundled.nodes());
        LayeredValue at = LayeredValue.of("", sources);
        boolean first = true;
        for (String name : KeyNames.segments(path)) {
            at = first ? at.first(name) : at.named(name);
            first = false;
        }
        return at;
    }
}
