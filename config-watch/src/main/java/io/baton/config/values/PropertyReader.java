package io.baton.config.values;

import java.io.IOException;
import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** Reads a properties document. */
final class PropertyReader {

    private PropertyReader() {}

    /** Keeps the order, and detects duplicates. */
    private static final class Collected extends Properties {

        private static final long serialVersionUID = 1L;

        private final transient Map<String, String> texts = new LinkedHashMap<>();
        private boolean twice;

        @Override
        public synchronized Object put(Object name, Object text) {
            twice |= texts.put((String) name, (String) text) != null;
            return text;
        }
    }

    static DocumentTree read(String key, String text, Origin origin) {
        Collected collected = new Collected();
        try {
            collected.load(new StringReader(text));
        } catch (IOException | IllegalArgumentException malformed) {
            return DocumentTree.broken(key, key + " is not a valid properties document " + origin, origin);
        }
        if (collected.twice) {
            return DocumentTree.broken(key, key + " has the same name twice " + origin, origin);
        }
        DocumentTree tree = DocumentTree.paths(origin);
        for (Map.Entry<String, String> property : collected.texts.entrySet()) {
            List<String> path = KeyNames.segments(property.getKey());
            if (path.isEmpty() || path.contains("") || path.size() > Documents.MOST_LEVELS) {
                return DocumentTree.broken(key, key + " has a name that is no path " + origin, origin);
            }
            tree.put(path, property.getValue(), origin);
        }
        return tree;
    }
}
