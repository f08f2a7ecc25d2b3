package io.baton.cli.config;

import io.baton.config.ConfigStore;
import io.baton.config.ConfigValue;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether there is nothing to do: to set what is there is no mistake.
 *
 * @param values that are to be set
 * @param secret whether they are to be secret; null if that is to stay as it is
 * @param revision that the key is to have; null if that does not matter
 */
record Sameness(
        Map<String, String> values,
        @Nullable Boolean secret,
        @Nullable Long revision) {

    boolean holds(ConfigStore store) throws InterruptedException {
        for (Map.Entry<String, String> each : values.entrySet()) {
            Optional<ConfigValue> there = store.get(each.getKey());
            if (there.isEmpty() || !same(there.orElseThrow(), each.getValue())) {
                return false;
            }
        }
        return true;
    }

    private boolean same(ConfigValue there, String text) {
        return there.text().equals(text)
                && (secret == null || secret == there.secret())
                && (revision == null || revision == there.revision());
    }
}
