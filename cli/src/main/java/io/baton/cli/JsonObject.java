package io.baton.cli;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Builds a JSON object. Characters that could harm a terminal are escaped, which does not change their meaning. */
public final class JsonObject {

    private final StringBuilder out = new StringBuilder("{");

    /** Starts an empty object. */
    public JsonObject() {}

    /** Adds a string; an empty text stays an empty string. */
    public JsonObject text(String name, String value) {
        return raw(name, quoted(value));
    }

    /** Adds a string, or null if there is none. */
    public JsonObject text(String name, Optional<String> value) {
        return raw(name, value.map(JsonObject::quoted).orElse("null"));
    }

    /** Adds a string, or null if it is empty. */
    public JsonObject unlessEmpty(String name, String value) {
        return raw(name, Text.json(value));
    }

    /** Adds a number. */
    public JsonObject number(String name, long value) {
        return raw(name, Long.toString(value));
    }

    /** Adds true or false. */
    public JsonObject flag(String name, boolean value) {
        return raw(name, Boolean.toString(value));
    }

    /** Adds an object whose values are strings, by name. */
    public JsonObject texts(String name, Map<String, String> values) {
        return raw(
                name,
                new TreeMap<>(values)
                        .entrySet().stream()
                                .map(each -> quoted(each.getKey()) + ":" + quoted(each.getValue()))
                                .collect(Collectors.joining(",", "{", "}")));
    }

    /** Adds an array of these; {@code json} renders each element. */
    public <T> JsonObject array(String name, Collection<T> all, Function<T, String> json) {
        return raw(name, all.stream().map(json).collect(Collectors.joining(",", "[", "]")));
    }

    /** Adds a value that is JSON already. */
    public JsonObject raw(String name, String json) {
        out.append(out.length() == 1 ? "" : ",")
                .append(quoted(name))
                .append(':')
                .append(json);
        return this;
    }

    /** Returns the object as JSON. */
    public String end() {
        return out + "}";
    }

    /** An array of elements that are JSON already, one a line. */
    public static String lines(List<String> elements) {
        return "[" + String.join(",\n ", elements) + "]";
    }

    /** A text as a JSON string; an empty text is an empty string, not null. */
    public static String quoted(String text) {
        return text.isEmpty() ? "\"\"" : Text.json(text);
    }
}
