package io.baton.tck.sim.lock;

import io.baton.tck.sim.lock.LockTruth.Entry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * When entries left a line, by the store's truth, for one who looks at it after every step: a name may come back as that of
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

    /** What has gone since the last look counts as gone now. */
    void look(long now) {
        if (version == truth.version()) {
            return;
        }
        version = truth.version();
        List<Entry> present = truth.line();
        if (present.equals(standing)) {
            return; // what was decided was not about this line
        }
        for (Entry entry : standing) {
            if (!present.contains(entry)) {
                removed.put(entry.name(), now);
            }
        }
        standing = present;
    }

    /** For how long no entry of this name has left the line, in nanoseconds; 0 if none ever has. */
    long age(String name, long now) {
        return now - removed.getOrDefault(name, now);
    }
}
