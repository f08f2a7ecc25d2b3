package io.baton.config.values;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values as texts: a scalar as written, lists and objects as JSON in one line. */
final class ValueTexts {

    static final String SECRET = "(secret)";
    private static final String MALFORMED = "(malformed)";
    private static final int MOST_SHOWN = 1_000;
    private static final JsonFactory JSON = new JsonFactory();

    private ValueTexts() {}

    /** Returns a value that is taken whole; null if it removes. */
    static @Nullable String of(Value value) {
        if (value instanceof Value.Scalar scalar) {
            return scalar.text();
        }
        if (value instanceof Value.Broken) {
            return MALFORMED;
        }
        return value instanceof Value.Items items ? json(items, "", null) : null;
    }

    /** Returns all of a position; null if there is nothing. */
    static @Nullable String full(LayeredValue at) {
        Value value = Effective.value(at);
        if (value != null) {
            return of(value);
        }
        return at.silent() ? null : json(at, null);
    }

    /** Returns a position for people, shortened and without secrets; null if there is nothing. */
    static @Nullable String shown(LayeredValue at, SecretPaths secrets) {
        if (at.silent()) {
            return null;
        }
        if (at.secret(secrets)) {
            return SECRET;
        }
        Value value = Effective.value(at);
        if (value instanceof Value.Scalar && secrets.below(at.path())) {
            return SECRET;
        }
        String text = value == null ? json(at, secrets) : shown(at.path(), value, secrets);
        return text == null || text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
    }

    private static @Nullable String shown(String path, Value value, SecretPaths secrets) {
        if (value instanceof Value.Broken broken) {
            return "(cannot be read: " + broken.reason() + ")";
        }
        return value instanceof Value.Items items ? json(items, path, secrets) : of(value);
    }

    /** Returns whether a list contains a secret, or a text stands in place of values with secrets. */
    static boolean holdsSecret(LayeredValue at, @Nullable Value value, SecretPaths secrets) {
        if (value instanceof Value.Scalar) {
            return secrets.below(at.path());
        }
        return value instanceof Value.Items items
                && !json(items, at.path(), null).equals(json(items, at.path(), secrets));
    }

    private interface Writing {
        void to(JsonGenerator json) throws IOException;
    }

    private static String json(LayeredValue at, @Nullable SecretPaths secrets) {
        return written(json -> write(at, secrets, json));
    }

    private static String json(Value.Items items, String path, @Nullable SecretPaths secrets) {
        return written(json -> write(items, path, secrets, json));
    }

    private static String written(Writing writing) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            writing.to(json);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    private static void write(LayeredValue at, @Nullable SecretPaths secrets, JsonGenerator json) throws IOException {
        if (secrets != null && at.secret(secrets)) {
            json.writeString(SECRET);
            return;
        }
        Value value = Effective.value(at);
        if (value == null) {
            writeObject(at, secrets, json);
        } else if (value instanceof Value.Items items) {
            write(items, at.path(), secrets, json);
        } else if (value instanceof Value.Scalar scalar) {
            write(scalar, json);
        } else if (value instanceof Value.Broken) {
            json.writeString(MALFORMED);
        } else {
            json.writeNull();
        }
    }

    private static void writeObject(LayeredValue at, @Nullable SecretPaths secrets, JsonGenerator json)
            throws IOException {
        json.writeStartObject();
        for (Map.Entry<String, LayeredValue> child : at.children(false).entrySet()) {
            String path = child.getValue().path();
            json.writeFieldName(
                    at.path().isEmpty() ? path : path.substring(at.path().length() + 1));
            write(child.getValue(), secrets, json);
        }
        json.writeEndObject();
    }

    private static void write(Value.Items items, String path, @Nullable SecretPaths secrets, JsonGenerator json)
            throws IOException {
        json.writeStartArray();
        int index = 0;
        for (Node item : items.items()) {
            write(LayeredValue.of(KeyNames.item(path, index++), List.of(item)), secrets, json);
        }
        json.writeEndArray();
    }

    private static void write(Value.Scalar scalar, JsonGenerator json) throws IOException {
        switch (scalar.kind()) {
            case NUMBER -> json.writeNumber(scalar.number());
            case BOOLEAN -> json.writeBoolean(scalar.text().equalsIgnoreCase("true"));
            case TEXT -> json.writeString(scalar.text());
        }
    }
}
