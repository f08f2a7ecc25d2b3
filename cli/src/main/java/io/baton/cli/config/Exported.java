package io.baton.cli.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import io.baton.cli.Failure;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Keys with their values, as text in one file: each value a string, whatever is in it. */
final class Exported {

    private static final ObjectMapper JSON = mapper(new ObjectMapper());
    private static final ObjectMapper YAML = mapper(new ObjectMapper(YAMLFactory.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .enable(YAMLGenerator.Feature.LITERAL_BLOCK_STYLE)
            .build()));
    private static final TypeReference<TreeMap<String, Object>> ALL = new TypeReference<>() {};

    private Exported() {}

    static String write(SortedMap<String, String> values, Format format) {
        try {
            return switch (format) {
                case json -> JSON.writeValueAsString(values) + "\n";
                case yaml -> YAML.writeValueAsString(values);
                case properties -> properties(values);
            };
        } catch (IOException neverInMemory) {
            throw new UncheckedIOException(neverInMemory);
        }
    }

    /**
     * What such a file says.
     *
     * @throws Failure if it cannot be understood; quotes no values
     */
    static SortedMap<String, String> read(String text, Format format) {
        try {
            return switch (format) {
                case json -> flat(JSON.readValue(text, ALL));
                case yaml -> flat(text.isBlank() ? Map.of() : YAML.readValue(text, ALL));
                case properties -> properties(text);
            };
        } catch (JsonProcessingException malformed) {
            throw Failure.usage("is no " + format + " of keys and values, at line "
                    + malformed.getLocation().getLineNr() + ", column "
                    + malformed.getLocation().getColumnNr());
        } catch (IOException | IllegalArgumentException malformed) {
            throw Failure.usage("is no " + format + " of keys and values");
        }
    }

    private static SortedMap<String, String> flat(Map<String, Object> all) {
        var values = new TreeMap<String, String>();
        all.forEach((key, value) -> {
            if (!(value instanceof String string)) {
                throw Failure.usage(
                        "the value of '" + key + "' is no string; a document is imported as one string too");
            }
            values.put(key, string);
        });
        return values;
    }

    private static SortedMap<String, String> properties(String text) throws IOException {
        var properties = new Properties();
        properties.load(new StringReader(text));
        var values = new TreeMap<String, String>();
        properties.stringPropertyNames().forEach(key -> values.put(key, properties.getProperty(key)));
        return values;
    }

    /** As the JDK writes them, without the time in the first line, which would differ each time. */
    private static String properties(SortedMap<String, String> values) throws IOException {
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

    private static ObjectMapper mapper(ObjectMapper mapper) {
        return mapper.enable(SerializationFeature.INDENT_OUTPUT).enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
    }
}
