package io.baton.etcd;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The entries that this session is removing. Requests overtake each other, so a join may be applied before a removal
 * sent earlier. So the join removes the entries, too. It replaces removals not yet sent: to release a lock and acquire
 * it again at once takes one request.
 */
final class PendingRemovals {

    /** An entry that is being removed. */
    interface Leaver {
        String key();

        /** A join that also removes the entry is about to be sent. Returns true if the entry relies on that join. */
        boolean joinSending();

        /** That join was applied, had no effect, or has an unknown outcome. */
        void joinDone(Piggyback how, boolean relied);
    }

    /** The outcome of a join that carried a removal. */
    enum Piggyback {
        REMOVED,
        NO_EFFECT,
        UNKNOWN
    }

    /** The number of removals that one join carries. */
    private static final int SOME = 8;

    private final Map<String, Set<Leaver>> lines = new HashMap<>();

    /** Adds an entry of this line. */
    void add(String prefix, Leaver leaver) {
        lines.computeIfAbsent(prefix, line -> new LinkedHashSet<>()).add(leaver);
    }

    /** Removes an entry that has gone. */
    void remove(String prefix, Leaver leaver) {
        Set<Leaver> leavers = lines.get(prefix);
        if (leavers != null && leavers.remove(leaver) && leavers.isEmpty()) {
            lines.remove(prefix);
        }
    }

    /** Returns some of this line's entries. */
    List<Leaver> of(String prefix) {
        Set<Leaver> leavers = lines.get(prefix);
        return leavers == null ? List.of() : leavers.stream().limit(SOME).toList();
    }
}
