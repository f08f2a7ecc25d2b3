package io.baton.zookeeper;

import io.baton.Position;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Up to where a client knows each tree of records, across its sessions. */
final class Positions {

    private final Map<String, Position> newest = new ConcurrentHashMap<>();
    private final Set<String> found = ConcurrentHashMap.newKeySet();

    /** Nothing is known. */
    Positions() {}

    /** Whether a server with this may be behind what is known. */
    boolean behind(String tree, Position seen) {
        Position known = newest.get(tree);
        return known != null && !(known.history().equals(seen.history()) && seen.revision() >= known.revision());
    }

    /** Whether this tree was ever there. */
    boolean everExisted(String tree) {
        return found.contains(tree);
    }

    /** This is known now. */
    void record(String tree, Position seen) {
        newest.put(tree, seen);
        if (!seen.history().isEmpty()) {
            found.add(tree);
        }
    }
}
