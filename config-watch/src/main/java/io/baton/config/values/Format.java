package io.baton.config.values;

import java.util.Optional;

/** How a document is written. */
enum Format {
    JSON("JSON"),
    YAML("YAML"),
    PROPERTIES("properties");

    private final String title;

    Format(String title) {
        this.title = title;
    }

    /** What it is called in a reason. */
    String title() {
        return title;
    }

    /** By the ending of a name, which is what comes after the last dot. */
    static Optional<Format> ofEnding(String ending) {
        return switch (ending) {
            case "json" -> Optional.of(JSON);
            case "yaml", "yml" -> Optional.of(YAML);
            case "properties" -> Optional.of(PROPERTIES);
            default -> Optional.empty();
        };
    }

    /** By a file's name. */
    static Optional<Format> ofFile(String name) {
        return ofEnding(name.substring(name.lastIndexOf('.') + 1));
    }
}
