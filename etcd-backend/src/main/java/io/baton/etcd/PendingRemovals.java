package io.baton.etcd;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The entries that this session is removing. Requests overtake each other, so a join may be applied before the removal
 * that was sent before it; so the join removes them, too. A removal that has not been sent yet need not be any more:
 * whoever gives a lock back and asks for it again at once pays for one request.
 */
final class PendingRemovals {

    /** An entry that is being removed. */
    interface Leaver {
        String key();

        /** A join that removes it, too, is about to be sent; true if the entry relies on that one. */
        boolean joinSending();

        /** That join has had its effect, or has had none, or who knows. */
        void joinDone(Piggyback how, boolean relied);
    }

    /** What became of a join that took an entry along. */
    enum Piggyback {
        REMOVED,
        NO_EFFECT,
        UNKNOWN
    }

    /** What one join takes along. */
    private static final int SOME = 8;

    private final Map<String, Set<Leaver>> lines = new HashMap<>();

    /** An entry of this line is being removed. */
    void add(String prefix, Leaver leaver) {
        lines.computeIfAbsent(prefix, line -> new LinkedHashSet<>()).add(leaver);
    }

    /** It has gone. */
    void remove(String prefix, Leaver leaver) {
        Set<Leaver> leavers = lines.get(prefix);
        if (leavers != null && leavers.remove(leaver) && leavers.isEmpty()) {
            lines.remove(prefix);
        }
    }

    /** Some of those of this line. */
    List<Leaver> of(String prefix) {
        Set<Leaver> leavers = lines.get(prefix);
        return leavers == null ? List.of() : leavers.stream().limit(SOME).toList();
    }
}
