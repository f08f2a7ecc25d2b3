package io.baton.etcd;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The entries that this session is removing. Requests overtake each other, so a join may be applied before the removal
 * that was sent before it; so the join removes them, too. No harm is done: their keys are never used again.
 */
final class Departures {

    /** What one join takes along. */
    private static final int SOME = 8;

    private final Map<String, Set<String>> lines = new HashMap<>();

    /** An entry of this line is being removed. */
    void add(String prefix, String key) {
        lines.computeIfAbsent(prefix, line -> new LinkedHashSet<>()).add(key);
    }

    /** It has gone. */
    void remove(String prefix, String key) {
        Set<String> keys = lines.get(prefix);
        if (keys != null && keys.remove(key) && keys.isEmpty()) {
            lines.remove(prefix);
        }
    }

    /** Some of those of this line. */
    List<String> of(String prefix) {
        Set<String> keys = lines.get(prefix);
        return keys == null ? List.of() : keys.stream().limit(SOME).toList();
    }
}
