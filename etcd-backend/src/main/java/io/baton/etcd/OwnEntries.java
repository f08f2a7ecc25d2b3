package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire.Compare;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The entries of this session that are known to stand, in the order of their creation for each line. Only the first of
 * a line looks at the store: each other one has to wait for the own one ahead of it in any case. When the first has
 * gone for certain, the next one reads: that read is newer than the removal, and shows whether an entry of another
 * session stands between them.
 */
final class OwnEntries {

    /** One line. */
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
     * Whether a join that is sent now needs to read who stands ahead. It does not if an entry of this session will most
     * likely stand ahead of it: its answer then finds that entry here, or else it reads later.
     */
    boolean joinReads(String prefix) {
        Standing line = lines.get(prefix);
        if (line == null) {
            return true;
        }
        boolean last =
                !line.inOrder.isEmpty() && line.inOrder.lastEntry().getValue().stands();
        return !last && line.joinsUnderWay == 0;
    }

    /** A join is being sent. */
    void joining(String prefix) {
        lines.computeIfAbsent(prefix, any -> new Standing()).joinsUnderWay++;
    }

    /** A join was answered, or is lost. */
    void joined(String prefix) {
        Standing line = lines.get(prefix);
        if (line != null) {
            line.joinsUnderWay--;
            forgetIfEmpty(prefix, line);
        }
    }

    /** This one's entry stands. Answers come in any order, so it may stand ahead of some that are known already. */
    void add(LinePlace place) {
        Standing line = lines.computeIfAbsent(place.prefix(), any -> new Standing());
        line.inOrder.put(place.token(), place);
        byKey.put(place.key(), place);
        Map.Entry<Long, LinePlace> behind = line.inOrder.higherEntry(place.token());
        if (behind != null && line.isFirst(place)) {
            behind.getValue().ownEntryAhead();
        }
    }

    /** The one that is first once this one, which is first, has gone; empty if none waits there, or another one is first. */
    Optional<LinePlace> next(LinePlace place) {
        Standing line = lines.get(place.prefix());
        if (line == null || !line.isFirst(place)) {
            return Optional.empty();
        }
        return Optional.ofNullable(line.inOrder.higherEntry(place.token()))
                .map(Map.Entry::getValue)
                .filter(LinePlace::stands);
    }

    /**
     * This one's entry has gone for certain, or has never stood.
     *
     * @param read what was read for the next one after that; null if nothing was
     */
    void remove(LinePlace place, @Nullable LineRead read) {
        Standing line = lines.get(place.prefix());
        if (line == null || line.inOrder.get(place.token()) != place) {
            return;
        }
        boolean wasFirst = line.isFirst(place);
        line.inOrder.remove(place.token());
        byKey.remove(place.key(), place);
        forgetIfEmpty(place.prefix(), line);
        if (wasFirst && !line.inOrder.isEmpty()) {
            line.inOrder.firstEntry().getValue().ownEntryAheadRemoved(read);
        }
    }

    /** Whether no other entry of this session is known to stand ahead of this one, which stands. */
    boolean isFirst(LinePlace place) {
        Standing line = lines.get(place.prefix());
        return line != null && line.isFirst(place);
    }

    /** The place whose entry this is. */
    Optional<LinePlace> find(Compare.Created entry) {
        return Optional.ofNullable(byKey.get(entry.key())).filter(place -> place.token() == entry.revision());
    }

    private void forgetIfEmpty(String prefix, Standing line) {
        if (line.inOrder.isEmpty() && line.joinsUnderWay == 0) {
            lines.remove(prefix);
        }
    }
}
