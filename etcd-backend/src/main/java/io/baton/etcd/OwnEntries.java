package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire.Compare;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The entries of this session that are known to stand, in order of creation for each line. Only the first place of a
 * line reads the store, as each other one must wait for the own entry ahead anyway. When the first has certainly gone,
 * the next one reads. That read is newer than the removal, and shows whether another session's entry stands between
 * them.
 */
final class OwnEntries {

    /** One line, or one entry of a line in which own entries need not wait for each other. */
    private static final class Standing {

        private final TreeMap<Long, LinePlace> inOrder = new TreeMap<>();
        private int joinsUnderWay;

        boolean isFirst(LinePlace place) {
            return !inOrder.isEmpty() && inOrder.firstEntry().getValue() == place;
        }
    }

    private final Map<String, Standing> lines = new HashMap<>();
    private final Map<String, LinePlace> byKey = new HashMap<>();

    /**
     * Whether a join that is sent now must read the entries ahead. It need not if an own entry will probably stand
     * ahead: its answer then finds that entry here, or else the place reads later.
     */
    boolean joinReads(String ownLine) {
        Standing line = lines.get(ownLine);
        if (line == null) {
            return true;
        }
        boolean last =
                !line.inOrder.isEmpty() && line.inOrder.lastEntry().getValue().stands();
        return !last && line.joinsUnderWay == 0;
    }

    /** A join is being sent. */
    void joining(String ownLine) {
        lines.computeIfAbsent(ownLine, any -> new Standing()).joinsUnderWay++;
    }

    /** A join was answered, or is lost. */
    void joined(String ownLine) {
        Standing line = lines.get(ownLine);
        if (line != null) {
            line.joinsUnderWay--;
            forgetIfEmpty(ownLine, line);
        }
    }

    /** This place's entry stands. Answers arrive in any order, so it may stand ahead of known ones. */
    void add(LinePlace place) {
        Standing line = lines.computeIfAbsent(place.ownLine(), any -> new Standing());
        line.inOrder.put(place.token(), place);
        byKey.put(place.key(), place);
        Map.Entry<Long, LinePlace> behind = line.inOrder.higherEntry(place.token());
        if (behind != null && line.isFirst(place)) {
            behind.getValue().entriesAhead().ownEntryAhead();
        }
    }

    /**
     * Returns the waiting place that becomes first when this one, which is first, goes. Empty if there is none, or if
     * this one is not first.
     */
    Optional<LinePlace> next(LinePlace place) {
        Standing line = lines.get(place.ownLine());
        if (line == null || !line.isFirst(place)) {
            return Optional.empty();
        }
        return Optional.ofNullable(line.inOrder.higherEntry(place.token()))
                .map(Map.Entry::getValue)
                .filter(LinePlace::stands);
    }

    /**
     * This place's entry has certainly gone, or has never stood.
     *
     * @param read the reads for the next place after the removal; null if there were none
     */
    void remove(LinePlace place, @Nullable LineRead read) {
        Standing line = lines.get(place.ownLine());
        if (line == null || line.inOrder.get(place.token()) != place) {
            return;
        }
        boolean wasFirst = line.isFirst(place);
        line.inOrder.remove(place.token());
        byKey.remove(place.key(), place);
        forgetIfEmpty(place.ownLine(), line);
        if (wasFirst && !line.inOrder.isEmpty()) {
            line.inOrder.firstEntry().getValue().entriesAhead().ownEntryAheadRemoved(read);
        }
    }

    /** Whether this place stands and no other entry of this session is known to stand ahead of it. */
    boolean isFirst(LinePlace place) {
        Standing line = lines.get(place.ownLine());
        return line != null && line.isFirst(place);
    }

    /** Returns the place of this entry; empty if it is not an own one. */
    Optional<LinePlace> find(Compare.Created entry) {
        return Optional.ofNullable(byKey.get(entry.key())).filter(place -> place.token() == entry.revision());
    }

    private void forgetIfEmpty(String ownLine, Standing line) {
        if (line.inOrder.isEmpty() && line.joinsUnderWay == 0) {
            lines.remove(ownLine);
        }
    }
}
