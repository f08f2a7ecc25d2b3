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
 * What a file changes.
 *
 * @param present what is there
 * @param values what the file has
 * @param secret keys that are to be secret
 */
record Merge(SortedMap<String, ConfigValue> present, SortedMap<String, String> values, Set<String> secret) {

    /** Keys that differ; with those that the file lacks, if these are to go. Secret ones never go by being absent. */
    List<KeyChange> changes(boolean deleteMissing) {
        var changes = new ArrayList<KeyChange>();
        for (Map.Entry<String, String> each : values.entrySet()) {
            Optional<ConfigValue> was = Optional.ofNullable(present.get(each.getKey()));
            boolean marked = was.map(ConfigValue::secret).orElse(false);
            boolean toBe = marked || secret.contains(each.getKey());
            Optional<String> before = was.map(ConfigValue::text);
            if (!before.equals(Optional.of(each.getValue())) || marked != toBe) {
                changes.add(new KeyChange(each.getKey(), before, Optional.of(each.getValue()), toBe));
            }
        }
        for (ConfigValue was : present.values()) {
            if (deleteMissing && !was.secret() && !values.containsKey(was.key())) {
                changes.add(new KeyChange(was.key(), Optional.of(was.text()), Optional.empty(), false));
            }
        }
        return changes;
    }
}
