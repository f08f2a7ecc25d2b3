package io.baton.etcd;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Keys of this session's former entries that are free for reuse: the entry has gone, and no request in flight can
 * concern the key. The next entry in the line takes one of them. The server keeps every key that ever existed until its
 * history is compacted, and scans them all when it reads the line. Entries under one key differ in the revision that
 * created them.
 */
final class EntryKeys {

    private static final int MANY_LINES = 64;
    private static final int MANY_KEYS = 256;

    // The least recently used line comes first.
    private final Map<String, Deque<String>> lines = new LinkedHashMap<>(16, 0.75f, true);

    /** Takes a key that can be reused in this line. */
    Optional<String> take(String prefix) {
        Deque<String> keys = lines.get(prefix);
        return keys == null ? Optional.empty() : Optional.ofNullable(keys.poll());
    }

    /** Adds a key for reuse. */
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
