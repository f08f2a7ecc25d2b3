package io.baton.config;

import io.baton.Position;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The values of the store as they were together at one position. Immutable.
 *
 * @param source where they have come from
 * @param position of the store
 * @param change the number of the last change that was written by Baton and is in it; 0 if there is none
 * @param values by key
 */
public record ConfigSnapshot(
        ConfigSource source, Position position, long change, SortedMap<String, ConfigValue> values) {

    /** The value of a key in the store. */
    public Optional<ConfigValue> value(String key) {
        return Optional.ofNullable(values.get(key));
    }

    /** Without the values, as there may be secrets in documents among them. */
    @Override
    public String toString() {
        return "ConfigSnapshot[" + source + ", " + position + ", change " + change + ", " + values.size() + " values]";
    }
}
