package io.baton.config.internal.active;

import io.baton.config.ConfigSnapshot;
import io.baton.config.ConfigValue;
import io.baton.config.internal.record.FrozenMap;
import io.baton.config.values.Layers;
import io.baton.config.values.SecretPaths;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Snapshots for users, with secret values marked, whether by the store, a pattern, or a bound type. Values that have
 * not changed since the last snapshot are not examined again. Any thread.
 */
public final class MarkedSnapshots {

    private final SecretPaths secrets;
    private volatile Last last = Last.nothing(0);

    /** The last result, with its input and the number of patterns. */
    private record Last(FrozenMap<ConfigValue> of, int patterns, FrozenMap<ConfigValue> marked) {

        static Last nothing(int patterns) {
            return new Last(FrozenMap.empty(), patterns, FrozenMap.empty());
        }
    }

    public MarkedSnapshots(SecretPaths secrets) {
        this.secrets = secrets;
    }

    /** Returns the marked snapshot of this state. */
    public ConfigSnapshot of(ActiveConfig now) {
        ConfigSnapshot snapshot = now.snapshot();
        int patterns = secrets.size();
        if (patterns == 0) {
            return snapshot;
        }
        Last known = last;
        if (known.patterns() != patterns) {
            known = Last.nothing(patterns);
        }
        if (!known.of().is(now.values())) {
            known = new Last(now.values(), patterns, marked(now.values(), now.layers(), known));
            last = known;
        }
        return new ConfigSnapshot(snapshot.source(), snapshot.position(), snapshot.change(), known.marked());
    }

    @SuppressWarnings("ReferenceEquality") // a shortcut for the many values that are identical
    private FrozenMap<ConfigValue> marked(FrozenMap<ConfigValue> values, Layers layers, Last known) {
        SortedMap<String, Optional<ConfigValue>> marked = new TreeMap<>();
        FrozenMap<ConfigValue> of = known.of();
        int before = 0;
        for (int i = 0; i < values.size(); i++) {
            ConfigValue value = values.valueAt(i);
            while (before < of.size() && of.keyAt(before).compareTo(value.key()) < 0) {
                before++;
            }
            boolean same = before < of.size() && of.valueAt(before) == value;
            ConfigValue shown = same ? known.marked().valueAt(before) : marked(value, layers);
            if (shown != value) {
                marked.put(value.key(), Optional.of(shown));
            }
        }
        return marked.isEmpty() ? values : values.with(marked);
    }

    private ConfigValue marked(ConfigValue value, Layers layers) {
        return value.secret() || !layers.secretKey(value.key(), secrets)
                ? value
                : new ConfigValue(value.key(), value.text(), value.revision(), true);
    }
}
