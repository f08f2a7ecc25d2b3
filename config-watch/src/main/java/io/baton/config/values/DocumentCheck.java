package io.baton.config.values;

import java.util.Optional;

/** Whether a text can be parsed as its key's ending says, before it is written. */
public final class DocumentCheck {

    private DocumentCheck() {}

    /** Why not, and where, for people; it quotes nothing of the text. Empty if it can, or if the key is no document's. */
    public static Optional<String> trouble(String key, String text) {
        return Format.ofFile(key)
                .map(format -> Documents.parse(format, key, text, Origin.of("to be written", key)))
                .map(DocumentTree::trouble)
                .map(Value.Broken::reason);
    }
}
