package io.baton.config;

import io.baton.Position;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The values of the store at one position. Immutable.
 *
 * @param source where they come from
 * @param position the position of the store
 * @param change the number of the last change by Baton in it; 0 if there is none
 * @param values the values by key
 */
public record ConfigSnapshot(
        ConfigSource source, Position position, long change, SortedMap<String, ConfigValue> values) {

    /** Returns the value of a key in the store; empty if there is none. */
    public Optional<ConfigValue> value(String key) {
        return Optional.ofNullable(values.get(key));
    }

    /** Omits the values, as documents among them may contain secrets. */
    @Override
    public String toString() {
        return "ConfigSnapshot[" + source + ", " + position + ", change " + change + ", " + values.size() + " values]";
    }
}
