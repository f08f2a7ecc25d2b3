package io.baton.config.values;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import org.yaml.snakeyaml.LoaderOptions;

/**
 * Parses documents. A malformed one becomes a broken tree, whose reason quotes nothing of it, unlike libraries'
 * messages.
 *
 * <p>Limits: 4 Mi characters, 64 levels, numbers of 200 digits, and in YAML lines of 256 Ki characters. YAML's parser
 * copies a long word again with each further kilobyte.
 */
final class Documents {

    static final int MOST_CHARACTERS = 4 << 20;
    static final int MOST_LEVELS = 64;
    static final int LONGEST_LINE = 256 << 10;

    private static final StreamReadConstraints LIMITS = StreamReadConstraints.builder()
            .maxNestingDepth(MOST_LEVELS)
            .maxDocumentLength(MOST_CHARACTERS)
            .maxStringLength(MOST_CHARACTERS)
            .maxNumberLength(200)
            .maxNameLength(1_000)
            .build();
    private static final JsonFactory JSON =
            JsonFactory.builder().streamReadConstraints(LIMITS).build();
    private static final YAMLFactory YAML = YAMLFactory.builder()
            .streamReadConstraints(LIMITS)
            .loaderOptions(yamlLimits())
            .build();

    private Documents() {}

    private static LoaderOptions yamlLimits() {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(MOST_CHARACTERS);
        options.setNestingDepthLimit(MOST_LEVELS);
        options.setMaxAliasesForCollections(0);
        return options;
    }

    /** Parses a document of its own. */
    static DocumentTree parse(Format format, String key, String text, Origin origin) {
        if (text.length() > MOST_CHARACTERS) {
            return DocumentTree.broken(
                    key, key + " has more than " + MOST_CHARACTERS + " characters " + origin, origin);
        }
        String plain = text.startsWith("\uFEFF") ? text.substring(1) : text;
        return switch (format) {
            case JSON -> new DocumentReader(JSON, format, key, origin).read(plain);
            case YAML -> yaml(key, plain, origin);
            case PROPERTIES -> PropertyReader.read(key, plain, origin);
        };
    }

    private static DocumentTree yaml(String key, String text, Origin origin) {
        int line = 1;
        int begin = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\n') {
                line++;
                begin = i + 1;
            } else if (i - begin >= LONGEST_LINE) {
                Origin where = origin.at(line, 1);
                String reason = key + " has a line of more than " + LONGEST_LINE + " characters " + where;
                return DocumentTree.broken(key, reason, where);
            }
        }
        return new DocumentReader(YAML, Format.YAML, key, origin).read(text);
    }

    /** Parses a text that stands for an object or a list: JSON, or else YAML's short form. */
    static DocumentTree structure(Value.Scalar text) {
        DocumentTree json = parse(Format.JSON, text.origin().source(), text.text(), text.origin());
        if (json.trouble() == null) {
            return json;
        }
        DocumentTree yaml = parse(Format.YAML, text.origin().source(), text.text(), text.origin());
        return yaml.trouble() == null ? yaml : json;
    }

    /** Parses the text of an annotation. A YAML scalar becomes its text; anything else stays as written. */
    static DocumentTree annotation(String text, Origin origin) {
        DocumentTree yaml = parse(Format.YAML, origin.source(), text, origin);
        if (yaml.value() instanceof Value.Scalar scalar) {
            return DocumentTree.of(Value.Scalar.loose(scalar.text(), origin));
        }
        return DocumentTree.of(Value.Scalar.loose(text, origin));
    }
}
