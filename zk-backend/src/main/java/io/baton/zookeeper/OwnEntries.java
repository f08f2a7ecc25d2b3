package io.baton.zookeeper;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The entries of this session that stand in lines, and which of its places wait for one of them to go. A place behind
 * an entry of its own session needs no watch on the server: the session knows when that entry has gone.
 */
final class OwnEntries {

    /** Waits behind an entry of its own session. */
    interface Successor {
        /** The entry is known to have gone; {@code wasFirst} if nothing stood ahead of it. */
        void predecessorRemoved(boolean wasFirst);
    }

    private static final class Own {
        private final LinePlace place;
        private final Set<Successor> successors = new LinkedHashSet<>(2);

        Own(LinePlace place) {
            this.place = place;
        }
    }

    private final Map<String, Own> entries = new HashMap<>();

    /** This place's entry stands at this path. */
    void add(String path, LinePlace place) {
        entries.put(path, new Own(place));
    }

    /** The place whose entry stands at this path; null if there is none. */
    @Nullable
    LinePlace at(String path) {
        Own own = entries.get(path);
        return own == null ? null : own.place;
    }

    /** Whether this is the path of an entry of ours that nobody has given back. */
    boolean stands(String path) {
        LinePlace place = at(path);
        return place != null && place.isWanted();
    }

    /** Has this one told when the entry at this path has gone; false if it is not one of ours. */
    boolean await(String path, Successor successor) {
        Own own = entries.get(path);
        if (own != null) {
            own.successors.add(successor);
        }
        return own != null;
    }

    /** This one does not wait for that entry any more. */
    void forget(String path, Successor successor) {
        Own own = entries.get(path);
        if (own != null) {
            own.successors.remove(successor);
        }
    }

    /** The entry at this path is known to have gone; {@code wasFirst} if nothing stood ahead of it. */
    void removed(String path, boolean wasFirst) {
        Own own = entries.remove(path);
        if (own != null) {
            List.copyOf(own.successors).forEach(successor -> successor.predecessorRemoved(wasFirst));
        }
    }
}
