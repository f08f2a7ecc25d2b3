package io.baton.config.internal.active;

import io.baton.config.KeyChange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The change that a listener of a binding gets in one call.
 *
 * @param before the value of the last call; empty in the first call, which always comes
 * @param now the value
 * @param changes the paths that differ; empty in the first call
 */
record ValueDelta<T>(Optional<T> before, T now, List<KeyChange> changes) implements Delta<ValueDelta<T>> {

    @Override
    public ValueDelta<T> then(ValueDelta<T> next) {
        return new ValueDelta<>(before, next.now, before.isEmpty() ? List.of() : merged(next.changes));
    }

    @Override
    public boolean isNothing() {
        return before.isPresent() && changes.isEmpty();
    }

    private List<KeyChange> merged(List<KeyChange> later) {
        Map<String, KeyChange> all = new LinkedHashMap<>();
        changes.forEach(change -> all.put(change.key(), change));
        for (KeyChange next : later) {
            KeyChange first = all.getOrDefault(next.key(), next);
            all.put(next.key(), new KeyChange(next.key(), first.before(), next.now(), first.secret() || next.secret()));
        }
        List<KeyChange> different = new ArrayList<>(all.values());
        different.removeIf(change -> change.before().equals(change.now()));
        return List.copyOf(different);
    }
}
