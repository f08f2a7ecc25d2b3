package io.baton.config.values;

import io.baton.Secret;
import io.baton.config.ConfigException;
import io.baton.config.ConfigValue;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The service's own layers below the store, and the overrides above it. Immutable. */
public final class Bundled {

    /** The layer above the store. */
    static final String OVERRIDE = "override";

    private final List<Node> overrides;
    private final List<Node> nodes;

    private Bundled(List<Node> overrides, List<Node> nodes) {
        this.overrides = overrides;
        this.nodes = nodes;
    }

    /** Returns a builder without layers. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the layers above the store, strongest first. */
    List<Node> overrides() {
        return overrides;
    }

    /** Returns the layers below the store, strongest first. */
    List<Node> nodes() {
        return nodes;
    }

    /** Returns the overridden paths, without values. */
    public List<String> overridden() {
        return Effective.paths(LayeredValue.of("", overrides)).stream()
                .filter(path -> !path.isEmpty())
                .toList();
    }

    /** Returns all layers with these values of the store. The map must not be changed afterwards. */
    public Layers with(SortedMap<String, ConfigValue> store) {
        return new Layers(this, store, new ParsedKeys(), new Difference(null, null));
    }

    /** The same; unchanged documents of the former layers are not parsed again. */
    public Layers with(SortedMap<String, ConfigValue> store, Layers former) {
        return from(store, former, null);
    }

    /** The same if the keys that differ from the former layers are known; then keys are not compared. */
    public Layers with(SortedMap<String, ConfigValue> store, Layers former, Collection<String> changedKeys) {
        return from(store, former, changedKeys);
    }

    private Layers from(SortedMap<String, ConfigValue> store, Layers former, @Nullable Collection<String> changedKeys) {
        former.parsed().prune(store);
        return new Layers(this, store, former.parsed(), new Difference(former, changedKeys));
    }

    /** Collects layers. */
    public static final class Builder {

        private final List<Node> defaults = new ArrayList<>();
        private final List<Node> files = new ArrayList<>();
        private final List<Node> environment = new ArrayList<>();
        private final List<Node> overrideFiles = new ArrayList<>();
        private final List<Node> overrideEnvironment = new ArrayList<>();

        private Builder() {}

        /**
         * Adds values by path; a later call overrides an earlier one.
         *
         * @throws ConfigException if a path is invalid
         */
        public Builder defaults(Map<String, String> values) {
            DocumentTree tree = DocumentTree.paths(Origin.of("defaults", "given in the program"));
            new TreeMap<>(values).forEach((path, text) -> {
                List<String> names = KeyNames.segments(path);
                if (names.isEmpty() || names.contains("") || names.size() > Documents.MOST_LEVELS) {
                    throw new ConfigException("no path for a default value: '" + path + "'");
                }
                tree.put(names, text, tree.origin());
            });
            defaults.add(0, tree);
            return this;
        }

        /**
         * Adds a document on the class path; a later call overrides an earlier one.
         *
         * @throws ConfigException if it cannot be read or parsed
         */
        public Builder defaults(ClassLoader loader, String resource) {
            try (InputStream stream = loader.getResourceAsStream(resource)) {
                if (stream == null) {
                    throw new ConfigException("there is no " + resource + " on the class path");
                }
                byte[] bytes = stream.readNBytes(Documents.MOST_CHARACTERS + 1);
                defaults.add(0, document(resource, bytes, Origin.of("defaults", "classpath:" + resource)));
                return this;
            } catch (IOException unreadable) {
                throw new ConfigException("cannot read " + resource + ": " + Secret.reason(unreadable));
            }
        }

        /**
         * Adds a file; a later call overrides an earlier one.
         *
         * @throws ConfigException if it cannot be read or parsed
         */
        public Builder file(Path document) {
            files.add(0, read(document, "file"));
            return this;
        }

        /**
         * Adds a file that overrides the store, if it exists; a later call overrides an earlier one.
         *
         * @throws ConfigException if it cannot be read or parsed
         */
        public Builder overrideFile(Path document) {
            if (Files.exists(document)) {
                overrideFiles.add(0, read(document, OVERRIDE));
            }
            return this;
        }

        private static DocumentTree read(Path document, String layer) {
            try (InputStream stream = Files.newInputStream(document)) {
                byte[] bytes = stream.readNBytes(Documents.MOST_CHARACTERS + 1);
                return document(document.toString(), bytes, Origin.of(layer, document.toString()));
            } catch (IOException unreadable) {
                throw new ConfigException("cannot read " + document + ": " + Secret.reason(unreadable));
            }
        }

        private static DocumentTree document(String name, byte[] bytes, Origin origin) {
            Format format = Format.ofFile(name)
                    .orElseThrow(() -> new ConfigException(
                            name + " must end in .json, .yaml, .yml or .properties, which says how it is written"));
            if (bytes.length > Documents.MOST_CHARACTERS) {
                throw new ConfigException(name + " has more than " + Documents.MOST_CHARACTERS + " bytes");
            }
            DocumentTree tree = Documents.parse(format, name, text(name, bytes), origin);
            Value.Broken trouble = tree.trouble();
            if (trouble != null) {
                throw new ConfigException(trouble.reason());
            }
            return tree;
        }

        private static String text(String name, byte[] bytes) {
            try {
                return StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes))
                        .toString();
            } catch (CharacterCodingException malformed) {
                throw new ConfigException(name + " is not UTF-8 text");
            }
        }

        /** Adds variables with this prefix; a later call overrides an earlier one. */
        public Builder environment(String prefix, Map<String, String> variables) {
            environment.add(0, Variables.of("environment", prefix, variables));
            return this;
        }

        /** Adds variables that override the store and override files, as {@link #environment}. */
        public Builder overrideEnvironment(String prefix, Map<String, String> variables) {
            overrideEnvironment.add(0, Variables.of(OVERRIDE, prefix, variables));
            return this;
        }

        /** Returns all collected layers. */
        public Bundled build() {
            List<Node> nodes = new ArrayList<>(environment);
            nodes.addAll(files);
            nodes.addAll(defaults);
            List<Node> overrides = new ArrayList<>(overrideEnvironment);
            overrides.addAll(overrideFiles);
            return new Bundled(List.copyOf(overrides), List.copyOf(nodes));
        }
    }
}
