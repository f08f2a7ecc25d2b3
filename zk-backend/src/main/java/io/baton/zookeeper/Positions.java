package io.baton.zookeeper;

import io.baton.Position;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The newest position that a client has read of each tree of records, across its sessions. Any thread. */
final class Positions {

    private final Map<String, Position> newest = new ConcurrentHashMap<>();
    private final Set<String> found = ConcurrentHashMap.newKeySet();

    /** No positions. */
    Positions() {}

    /** Whether a server that shows this position may be behind the newest one. */
    boolean behind(String tree, Position seen) {
        Position known = newest.get(tree);
        return known != null && !(known.history().equals(seen.history()) && seen.revision() >= known.revision());
    }

    /** Whether this tree ever existed. */
    boolean everExisted(String tree) {
        return found.contains(tree);
    }

    /** Sets the newest position. */
    void record(String tree, Position seen) {
        newest.put(tree, seen);
        if (!seen.history().isEmpty()) {
            found.add(tree);
        }
    }
}
