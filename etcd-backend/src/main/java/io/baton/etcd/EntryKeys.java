package io.baton.etcd;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Keys that entries of this session bore, once the entry is known to have gone and nothing under way can concern the key
 * any more. The next entry in that line takes one of them: the server remembers every key that ever was until somebody
 * compacts its history, and passes them all whenever it reads the line. Entries under one key differ in the revision that
 * created them.
 */
final class EntryKeys {

    private static final int MANY_LINES = 64;
    private static final int MANY_KEYS = 256;

    // The line that was used longest ago comes first.
    private final Map<String, Deque<String>> lines = new LinkedHashMap<>(16, 0.75f, true);

    /** One that can be used again in this line. */
    Optional<String> take(String prefix) {
        Deque<String> keys = lines.get(prefix);
        return keys == null ? Optional.empty() : Optional.ofNullable(keys.poll());
    }

    /** This one can be used again. */
    void release(String prefix, String key) {
        Deque<String> keys = lines.computeIfAbsent(prefix, line -> new ArrayDeque<>());
        if (keys.size() < MANY_KEYS) {
            keys.add(key);
        }
        if (lines.size() > MANY_LINES) {
            lines.remove(lines.keySet().iterator().next());
        }
    }
}
