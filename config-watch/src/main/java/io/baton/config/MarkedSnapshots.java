package io.baton.config;

import io.baton.config.values.Layers;
import io.baton.config.values.SecretPaths;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Snapshots as their users see them: a value with something secret in it is marked, whether the store says so, a pattern, or a type that
 * is bound. What has not changed since the last one is not looked at again. Any thread.
 */
final class MarkedSnapshots {

    private final SecretPaths secrets;
    private volatile @Nullable Last last;

    /** What was marked last, of what, by how many patterns. */
    private record Last(FrozenMap<ConfigValue> of, int patterns, FrozenMap<ConfigValue> marked) {}

    MarkedSnapshots(SecretPaths secrets) {
        this.secrets = secrets;
    }

    /** That of what is in use. */
    ConfigSnapshot of(InUse now) {
        ConfigSnapshot snapshot = now.snapshot();
        int patterns = secrets.size();
        if (patterns == 0) {
            return snapshot;
        }
        Last known = last;
        Last next = known != null && known.patterns() == patterns ? known : null;
        if (next == null || !next.of().is(now.values())) {
            next = new Last(now.values(), patterns, marked(now.values(), now.layers(), next));
            last = next;
        }
        return new ConfigSnapshot(snapshot.source(), snapshot.position(), snapshot.change(), next.marked());
    }

    @SuppressWarnings("ReferenceEquality") // a quick way through the many that are the very same
    private FrozenMap<ConfigValue> marked(FrozenMap<ConfigValue> values, Layers layers, @Nullable Last known) {
        SortedMap<String, Optional<ConfigValue>> marked = new TreeMap<>();
        int before = 0;
        for (int i = 0; i < values.size(); i++) {
            ConfigValue value = values.valueAt(i);
            while (known != null && before < known.of().size() && known.of().keyAt(before).compareTo(value.key()) < 0) {
                before++;
            }
            boolean same = known != null && before < known.of().size() && known.of().valueAt(before) == value;
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
