package io.baton.cli;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** An object of JSON in the making. Signs that could harm a terminal are escaped: they mean the same to a program. */
public final class JsonObject {

    private final StringBuilder out = new StringBuilder("{");

    /** An empty one. */
    public JsonObject() {}

    /** A text; an empty one is empty, not null. */
    public JsonObject text(String name, String value) {
        return raw(name, quoted(value));
    }

    /** Null if there is none. */
    public JsonObject text(String name, Optional<String> value) {
        return raw(name, value.map(JsonObject::quoted).orElse("null"));
    }

    /** Null if it is empty. */
    public JsonObject unlessEmpty(String name, String value) {
        return raw(name, Text.json(value));
    }

    /** A number. */
    public JsonObject number(String name, long value) {
        return raw(name, Long.toString(value));
    }

    /** True or false. */
    public JsonObject flag(String name, boolean value) {
        return raw(name, Boolean.toString(value));
    }

    /** An object whose values are texts, by name. */
    public JsonObject texts(String name, Map<String, String> values) {
        return raw(
                name,
                new TreeMap<>(values)
                        .entrySet().stream()
                                .map(each -> quoted(each.getKey()) + ":" + quoted(each.getValue()))
                                .collect(Collectors.joining(",", "{", "}")));
    }

    /** An array of these, each as JSON. */
    public <T> JsonObject array(String name, Collection<T> all, Function<T, String> json) {
        return raw(name, all.stream().map(json).collect(Collectors.joining(",", "[", "]")));
    }

    /** Something that is JSON already. */
    public JsonObject raw(String name, String json) {
        out.append(out.length() == 1 ? "" : ",")
                .append(quoted(name))
                .append(':')
                .append(json);
        return this;
    }

    /** What has been made. */
    public String end() {
        return out + "}";
    }

    /** An array of what is JSON already, one a line. */
    public static String lines(List<String> elements) {
        return "[" + String.join(",\n ", elements) + "]";
    }

    /** A text as a string of JSON; an empty one is empty, not null. */
    public static String quoted(String text) {
        return text.isEmpty() ? "\"\"" : Text.json(text);
    }
}
