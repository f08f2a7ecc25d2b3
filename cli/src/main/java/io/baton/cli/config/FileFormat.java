package io.baton.cli.config;

/** The format of a file with keys and values. */
enum FileFormat {
    json,
    yaml,
    properties;

    /** Chooses the format by the extension of the file's name; properties by default. */
    static FileFormat of(String file) {
        if (file.endsWith(".json")) {
            return json;
        }
        return file.endsWith(".yaml") || file.endsWith(".yml") ? yaml : properties;
    }
}
