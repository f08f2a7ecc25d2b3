package io.baton.cli.config;

import java.util.Locale;
import java.util.Optional;

/** The format of a file with keys and values. */
enum FileFormat {
    json,
    yaml,
    properties;

    /** Chooses the format by the extension of the file's name, in whatever case; empty if that does not tell. */
    static Optional<FileFormat> of(String file) {
        String name = file.toLowerCase(Locale.ROOT);
        if (name.endsWith(".json")) {
            return Optional.of(json);
        } else if (name.endsWith(".yaml") || name.endsWith(".yml")) {
            return Optional.of(yaml);
        }
        return name.endsWith(".properties") ? Optional.of(properties) : Optional.empty();
    }
}
