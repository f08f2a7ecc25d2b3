package io.baton.cli.config;

import io.baton.config.ConfigValue;
import io.baton.config.KeyChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * The changes that a file makes to the values of a space.
 *
 * @param present the present values
 * @param values the values of the file
 * @param secret keys that are secret according to the file
 */
record Merge(SortedMap<String, ConfigValue> present, SortedMap<String, String> values, Set<String> secret) {

    /**
     * The keys that differ; with {@code deleteMissing}, also those that the file lacks. A secret key is never deleted
     * for being absent.
     */
    List<KeyChange> changes(boolean deleteMissing) {
        var changes = new ArrayList<KeyChange>();
        for (Map.Entry<String, String> each : values.entrySet()) {
            Optional<ConfigValue> was = Optional.ofNullable(present.get(each.getKey()));
            Optional<String> before = was.map(ConfigValue::text);
            if (!before.equals(Optional.of(each.getValue()))) {
                boolean hidden = was.map(ConfigValue::secret).orElse(false) || secret.contains(each.getKey());
                changes.add(new KeyChange(each.getKey(), before, Optional.of(each.getValue()), hidden));
            }
        }
        for (ConfigValue was : present.values()) {
            boolean hidden = was.secret() || secret.contains(was.key());
            if (deleteMissing && !hidden && !values.containsKey(was.key())) {
                changes.add(new KeyChange(was.key(), Optional.of(was.text()), Optional.empty(), false));
            }
        }
        return changes;
    }
}
