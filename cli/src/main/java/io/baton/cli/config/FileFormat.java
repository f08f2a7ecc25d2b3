package io.baton.cli.config;

/** How many keys and their values stand in one file. */
enum FileFormat {
    json,
    yaml,
    properties;

    /** By the ending of a file's name; properties where it has none that is known. */
    static FileFormat of(String file) {
        if (file.endsWith(".json")) {
            return json;
        }
        return file.endsWith(".yaml") || file.endsWith(".yml") ? yaml : properties;
    }
}
