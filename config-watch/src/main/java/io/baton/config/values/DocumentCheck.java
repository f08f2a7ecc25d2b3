package io.baton.config.values;

import java.util.Optional;

/** Checks before writing that a text can be parsed in the format of its key. */
public final class DocumentCheck {

    private DocumentCheck() {}

    /**
     * Returns the problem and its place, for people, without quoting the text. Empty if there is none, or if the key is
     * not a document's.
     */
    public static Optional<String> trouble(String key, String text) {
        return Format.ofFile(key)
                .map(format -> Documents.parse(format, key, text, Origin.of("to be written", key)))
                .map(DocumentTree::trouble)
                .map(Value.Broken::reason);
    }
}
