package io.baton.config.values;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads one JSON or YAML document. */
final class DocumentReader {

    private static final Pattern DECIMAL = Pattern.compile("-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?");
    private static final Set<String> PLAIN_TAGS = Set.of("str", "int", "float", "bool", "null", "map", "seq");

    private final JsonFactory factory;
    private final Format format;
    private final String key;
    private final Origin origin;

    DocumentReader(JsonFactory factory, Format format, String key, Origin origin) {
        this.factory = factory;
        this.format = format;
        this.key = key;
        this.origin = origin;
    }

    /** Thrown to refuse a document; the reason quotes nothing of it. */
    private static final class Refused extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Refused(String what) {
            super(what, null, false, false);
        }
    }

    DocumentTree read(String text) {
        try (JsonParser parser = factory.createParser(text)) {
            return read(parser);
        } catch (IOException impossible) {
            return broken("cannot be read", origin);
        }
    }

    private DocumentTree read(JsonParser parser) {
        try {
            if (parser.nextToken() == null) {
                return format == Format.YAML ? DocumentTree.paths(origin) : broken("is empty", origin);
            }
            DocumentTree tree = tree(parser);
            if (parser.nextToken() != null) {
                throw new Refused("goes on after its end; one document only");
            }
            return tree;
        } catch (Refused refused) {
            return broken(String.valueOf(refused.getMessage()), here(parser.currentTokenLocation()));
        } catch (StreamConstraintsException beyond) {
            return broken("is too deep, or has a name or a number that is too long", here(parser.currentLocation()));
        } catch (JsonEOFException early) {
            return broken("ends too early", here(early.getLocation()));
        } catch (JsonProcessingException malformed) {
            return broken("is not valid " + format.title(), here(malformed.getLocation()));
        } catch (Throwable malformed) {
            return broken("is not valid " + format.title(), here(parser.currentLocation()));
        }
    }

    private DocumentTree broken(String what, Origin where) {
        return DocumentTree.broken(key, key + " " + what + " " + where, where);
    }

    private DocumentTree tree(JsonParser parser) throws IOException {
        refuseForeign(parser);
        Origin here = here(parser.currentTokenLocation());
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> object(parser, here);
            case START_ARRAY -> list(parser, here);
            case VALUE_NULL -> DocumentTree.of(new Value.Nothing(here));
            case VALUE_TRUE, VALUE_FALSE -> truth(parser.getText(), here);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser, here);
            case VALUE_STRING -> scalar(Value.Scalar.Kind.TEXT, parser.getText(), here);
            default -> throw new Refused("is not valid " + format.title());
        };
    }

    private static DocumentTree scalar(Value.Scalar.Kind kind, String text, Origin here) {
        return DocumentTree.of(Value.Scalar.strict(kind, text, text, here));
    }

    /** Only these words are booleans: {@code on} and {@code no} are texts. */
    private static DocumentTree truth(String text, Origin here) {
        boolean plain = text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false");
        return scalar(plain ? Value.Scalar.Kind.BOOLEAN : Value.Scalar.Kind.TEXT, text, here);
    }

    private static DocumentTree number(JsonParser parser, Origin here) throws IOException {
        String text = parser.getText();
        String digits =
                DECIMAL.matcher(text).matches() ? text : parser.getNumberValue().toString();
        return DocumentTree.of(Value.Scalar.strict(Value.Scalar.Kind.NUMBER, text, digits, here));
    }

    private DocumentTree object(JsonParser parser, Origin here) throws IOException {
        DocumentTree object = DocumentTree.object(here);
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            if (!object.add(name, tree(parser))) {
                throw new Refused("has the same name twice in one object");
            }
        }
        return object;
    }

    private DocumentTree list(JsonParser parser, Origin here) throws IOException {
        List<DocumentTree> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(tree(parser));
        }
        return DocumentTree.of(new Value.Items(List.copyOf(items), here));
    }

    /**
     * Refuses aliases, which would be read as plain texts, and tags, which could create objects of the document's
     * choice.
     */
    private static void refuseForeign(JsonParser parser) throws IOException {
        if (!(parser instanceof YAMLParser yaml)) {
            return;
        }
        if (yaml.isCurrentAlias()) {
            throw new Refused("has an alias (*name); those are not understood");
        }
        Object tag = yaml.getTypeId();
        if (tag != null && !PLAIN_TAGS.contains(tag.toString())) {
            throw new Refused("has a tag (!name); those are not understood");
        }
    }

    private Origin here(JsonLocation location) {
        return location == null ? origin : origin.at(location.getLineNr(), location.getColumnNr());
    }
}
