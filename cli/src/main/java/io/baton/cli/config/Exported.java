package io.baton.cli.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactoryBuilder;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import io.baton.cli.Failure;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;

/**
 * The content of an export, as text in one file. Each value is a string, whatever it contains. A key of Baton's own
 * lists the secret keys.
 *
 * @param values by key
 * @param secrets the keys that are marked secret, including those whose values were left out
 */
record Exported(SortedMap<String, String> values, SortedSet<String> secrets) {

    /** The key with the list of secret keys; in properties, the list is JSON. */
    private static final String SECRETS = "$secrets";

    /** Line ends that YAML would change if they were not quoted. */
    private static final Pattern FOLDED = Pattern.compile("[\\u0085\\u2028\\u2029]");

    private static final ObjectMapper JSON = mapper(new ObjectMapper());
    private static final ObjectMapper YAML = mapper(new ObjectMapper(yaml().build()));
    private static final ObjectMapper QUOTED_YAML = mapper(new ObjectMapper(
            yaml().disable(YAMLGenerator.Feature.LITERAL_BLOCK_STYLE).build()));
    private static final TypeReference<TreeMap<String, Object>> ALL = new TypeReference<>() {};
    private static final TypeReference<List<String>> KEYS = new TypeReference<>() {};

    /** Formats the file. */
    String write(FileFormat format) {
        Map<String, Object> all = new TreeMap<>(values);
        try {
            return switch (format) {
                case json -> JSON.writeValueAsString(marked(all, secrets)) + "\n";
                case yaml -> {
                    boolean folds = values.values().stream().anyMatch(FOLDED.asPredicate());
                    yield (folds ? QUOTED_YAML : YAML).writeValueAsString(marked(all, secrets));
                }
                case properties -> properties(marked(all, new ObjectMapper().writeValueAsString(secrets)));
            };
        } catch (IOException neverInMemory) {
            throw new UncheckedIOException(neverInMemory);
        }
    }

    private Map<String, Object> marked(Map<String, Object> all, Object marks) {
        if (!secrets.isEmpty()) {
            all.put(SECRETS, marks);
        }
        return all;
    }

    /**
     * Parses the file, which is one document.
     *
     * @throws Failure if it is malformed; the message quotes no values
     */
    static Exported read(String text, FileFormat format) {
        try {
            return switch (format) {
                case json -> of(JSON.readValue(text, ALL));
                case yaml -> of(text.isBlank() ? new TreeMap<>() : YAML.readValue(text, ALL));
                case properties -> of(properties(text));
            };
        } catch (JsonProcessingException malformed) {
            throw Failure.usage("is no " + format + " of keys and values, at line "
                    + malformed.getLocation().getLineNr() + ", column "
                    + malformed.getLocation().getColumnNr());
        } catch (IOException | IllegalArgumentException malformed) {
            throw Failure.usage("is no " + format + " of keys and values");
        }
    }

    private static Exported of(@Nullable Map<String, Object> all) {
        if (all == null) {
            throw new IllegalArgumentException("null");
        }
        var values = new TreeMap<String, String>();
        var secrets = new TreeSet<String>();
        all.forEach((key, value) -> {
            if (key.equals(SECRETS)) {
                secrets.addAll(keys(value));
            } else if (value instanceof String string) {
                values.put(key, string);
            } else {
                throw Failure.usage(
                        "the value of '" + key + "' is no string; a document is imported as one string too");
            }
        });
        return new Exported(values, secrets);
    }

    private static List<String> keys(@Nullable Object value) {
        try {
            List<String> keys =
                    value instanceof String json ? JSON.readValue(json, KEYS) : JSON.convertValue(value, KEYS);
            if (keys == null || keys.contains(null)) {
                throw new IllegalArgumentException("null");
            }
            return keys;
        } catch (JsonProcessingException | IllegalArgumentException malformed) {
            throw Failure.usage("the value of '" + SECRETS + "' is no list of keys");
        }
    }

    private static Map<String, Object> properties(String text) throws IOException {
        var properties = new Properties();
        properties.load(new StringReader(text));
        var values = new TreeMap<String, Object>();
        properties.stringPropertyNames().forEach(key -> values.put(key, properties.getProperty(key)));
        return values;
    }

    /** The JDK's format, without the comment that holds the time and would differ each time. */
    private static String properties(Map<String, Object> values) throws IOException {
        var properties = new Properties();
        properties.putAll(values);
        var out = new StringWriter();
        properties.store(out, null);
        return out.toString()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .sorted()
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    private static YAMLFactoryBuilder yaml() {
        // The file is as large as the space. Only a single value is bounded, by the store.
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(Integer.MAX_VALUE);
        return YAMLFactory.builder()
                .loaderOptions(options)
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                .disable(YAMLGenerator.Feature.SPLIT_LINES)
                .enable(YAMLGenerator.Feature.LITERAL_BLOCK_STYLE);
    }

    private static ObjectMapper mapper(ObjectMapper mapper) {
        return mapper.enable(SerializationFeature.INDENT_OUTPUT)
                .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    }
}
