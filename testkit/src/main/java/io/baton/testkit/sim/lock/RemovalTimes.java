package io.baton.testkit.sim.lock;

import io.baton.testkit.sim.lock.LockTruth.Entry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * When entries left a line, by the store's truth, for one who looks at it now and then: no later than that. An entry may
 * come back under the same name between two looks, as another entry.
 */
final class RemovalTimes {

    private final LockTruth truth;
    private final Map<String, Long> removed = new HashMap<>();
    private Set<Entry> standing = Set.of();
    private List<Entry> newest = List.of();
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
        if (present.equals(newest)) {
            return; // what was decided was not about this line
        }
        newest = present;
        Set<Entry> line = new HashSet<>(present);
        for (Entry entry : standing) {
            if (!line.contains(entry)) {
                removed.put(entry.name(), now);
            }
        }
        standing = line;
    }

    /** For how long no entry of this name has left the line, in nanoseconds; 0 if none ever has. */
    long age(String name, long now) {
        return now - removed.getOrDefault(name, now);
    }
}
