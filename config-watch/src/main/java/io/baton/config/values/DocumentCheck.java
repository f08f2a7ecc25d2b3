package io.baton.config.values;

import java.util.Optional;

/** Whether the text of a key that is a document by its name's ending can be one, before it is written. */
public final class DocumentCheck {

    private DocumentCheck() {}

    /** Why it is none, and where; quotes nothing of it. Empty if it is one, or is not to be one. */
    public static Optional<String> trouble(String key, String text) {
        return Format.ofFile(key)
                .map(format -> Documents.parse(format, key, text, Origin.of("to be written", key))
                        .trouble())
                .map(Value.Broken::reason);
    }
}
