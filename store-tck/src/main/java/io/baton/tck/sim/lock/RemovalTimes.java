package io.baton.tck.sim.lock;

import io.baton.tck.sim.lock.LockTruth.Entry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tracks when entries left a line, by the store's truth, with a look after every step. A name may return as that of
 * another entry, and leave again within a few milliseconds.
 */
final class RemovalTimes {

    private final LockTruth truth;
    private final Map<String, Long> removed = new HashMap<>();
    private List<Entry> standing = List.of();
    private long version = -1;

    RemovalTimes(LockTruth truth) {
        this.truth = truth;
    }

    /** Records entries that have gone since the last look as gone now. */
    void look(long now) {
        if (version == truth.version()) {
            return;
        }
        version = truth.version();
        List<Entry> present = truth.line();
        if (present.equals(standing)) {
            return; // the decision was not about this line
        }
        for (Entry entry : standing) {
            if (!present.contains(entry)) {
                removed.put(entry.name(), now);
            }
        }
        standing = present;
    }

    /** How long no entry of this name has left the line, in nanoseconds; 0 if none ever has. */
    long age(String name, long now) {
        return now - removed.getOrDefault(name, now);
    }
}
