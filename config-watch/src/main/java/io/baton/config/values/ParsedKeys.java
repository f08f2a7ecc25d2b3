package io.baton.config.values;

import io.baton.config.ConfigValue;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Parsed documents of the store, kept while their key's value stays the same. Any thread. */
final class ParsedKeys {

    /** How many documents more than keys may be kept. */
    private static final int SPARE = 64;

    private record Parsed(ConfigValue value, DocumentTree tree) {}

    private final Map<String, Parsed> documents = new ConcurrentHashMap<>();

    /** Returns the text of a key whose name is not a document's. */
    Value.Scalar text(ConfigValue value) {
        Parsed before = documents.get(value.key());
        if (before != null && before.value().equals(value) && before.tree().value() instanceof Value.Scalar known) {
            return known;
        }
        Value.Scalar text = Value.Scalar.loose(value.text(), KeyNode.origin(value));
        return text.structured() && kept(value, () -> DocumentTree.of(text)).value() instanceof Value.Scalar known
                ? known
                : text;
    }

    /** Returns the document of a key whose name is a document's. */
    DocumentTree document(ConfigValue value, Format format) {
        return kept(value, () -> Documents.parse(format, value.key(), value.text(), KeyNode.origin(value)));
    }

    /** Returns the contents of a key, by its name or the beginning of its text. */
    DocumentTree tree(ConfigValue value) {
        String path = KeyNode.path(value.key());
        if (!path.equals(value.key())) {
            String ending = value.key().substring(path.length() + 1);
            return document(value, Format.ofEnding(ending).orElseThrow());
        }
        Value.Scalar text = text(value);
        return text.structured() ? text.structure() : DocumentTree.of(text);
    }

    private DocumentTree kept(ConfigValue value, Supplier<DocumentTree> parsing) {
        Parsed known = documents.get(value.key());
        if (known != null && known.value().equals(value)) {
            return known.tree();
        }
        DocumentTree tree = parsing.get();
        documents.put(value.key(), new Parsed(value, tree));
        return tree;
    }

    /** Removes documents that are no longer in the store, once there are many. */
    void prune(Map<String, ConfigValue> store) {
        if (documents.size() > store.size() + SPARE) {
            documents.keySet().retainAll(store.keySet());
        }
    }
}
