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
 * What a file changes of values.
 *
 * @param present what is there
 * @param values what the file has
 * @param secret keys that the file says are secret
 */
record Merge(SortedMap<String, ConfigValue> present, SortedMap<String, String> values, Set<String> secret) {

    /** Keys that differ; with those that the file lacks, if these are to go. Secret ones never go by being absent. */
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
