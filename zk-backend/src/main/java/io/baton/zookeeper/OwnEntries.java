package io.baton.zookeeper;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * This session's entries in lines, and its places that wait behind them. Such a place needs no watch on the server: the
 * session notifies it when the entry goes.
 */
final class OwnEntries {

    /** A place that waits behind an entry of its own session. */
    interface Successor {
        /** The entry has gone; {@code wasFirst} if it had no entry ahead. */
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

    /** Records that this place's entry stands at this path. */
    void add(String path, LinePlace place) {
        entries.put(path, new Own(place));
    }

    /** Returns the place whose entry stands at this path; null if there is none. */
    @Nullable
    LinePlace at(String path) {
        Own own = entries.get(path);
        return own == null ? null : own.place;
    }

    /** Whether this is the path of an own entry that has not been released. */
    boolean stands(String path) {
        LinePlace place = at(path);
        return place != null && place.isWanted();
    }

    /** Registers a successor of the entry at this path. Returns false if it is not an own entry. */
    boolean await(String path, Successor successor) {
        Own own = entries.get(path);
        if (own != null) {
            own.successors.add(successor);
        }
        return own != null;
    }

    /** Unregisters a successor. */
    void forget(String path, Successor successor) {
        Own own = entries.get(path);
        if (own != null) {
            own.successors.remove(successor);
        }
    }

    /** Notifies the successors that the entry at this path has gone; {@code wasFirst} if it had no entry ahead. */
    void removed(String path, boolean wasFirst) {
        Own own = entries.remove(path);
        if (own != null) {
            List.copyOf(own.successors).forEach(successor -> successor.predecessorRemoved(wasFirst));
        }
    }
}
