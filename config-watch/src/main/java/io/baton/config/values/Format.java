package io.baton.config.values;

import java.util.Optional;

/** The format of a document. */
enum Format {
    JSON("JSON"),
    YAML("YAML"),
    PROPERTIES("properties");

    private final String title;

    Format(String title) {
        this.title = title;
    }

    /** Returns its name in a reason. */
    String title() {
        return title;
    }

    /** Returns the format for an ending, the part of a name after the last dot. */
    static Optional<Format> ofEnding(String ending) {
        return switch (ending) {
            case "json" -> Optional.of(JSON);
            case "yaml", "yml" -> Optional.of(YAML);
            case "properties" -> Optional.of(PROPERTIES);
            default -> Optional.empty();
        };
    }

    /** Returns the format for a file's name. */
    static Optional<Format> ofFile(String name) {
        return ofEnding(name.substring(name.lastIndexOf('.') + 1));
    }
}
