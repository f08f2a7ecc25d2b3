package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Part;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Result;
import io.baton.etcd.wire.EtcdWire.Txn;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The known keys of a tree, with their last writes, for comparison with the store. Each audit compares one part after
 * the other, so a large tree costs little. For a large tree it also reads the number of keys, which the server's index
 * has. If nothing was heard since the last audit, or something differed then, it reads the key written last as well,
 * which reveals a watch that has fallen silent. It does so rarely otherwise: to find that key, the server reads the
 * whole tree, with its values.
 *
 * <p>Events and answers are not ordered, so one difference proves nothing. If the next audit finds the same difference,
 * its event is lost: it would have arrived by then. If there was no event at all in between, the watch has fallen
 * silent.
 */
final class KeyInventory {

    private static final int PART = 500;

    /** The key written last is read with every audit of this many, whatever was heard. */
    private static final int NOW_AND_THEN = 10;

    /** One write of a key that exists but is not known, or that is known but does not exist. */
    private record Doubt(String key, long revision, boolean there) {}

    /** The reads of one audit, of the keys behind {@code after}. */
    record Question(Txn txn, String after, int era) {}

    private final String prefix;
    private final NavigableMap<String, Long> known = new TreeMap<>();
    private String after = "";
    private int era;
    private Set<Doubt> doubtful = Set.of();
    private boolean heard;
    private int audits;

    KeyInventory(String prefix) {
        this.prefix = prefix;
    }

    /** Starts again with all keys. */
    void begin(List<Kv> all) {
        era++;
        after = "";
        doubtful = Set.of();
        known.clear();
        all.forEach(kv -> known.put(kv.key(), kv.written()));
    }

    void changed(List<Event> events) {
        heard = true;
        for (Event event : events) {
            if (event.deleted()) {
                known.remove(event.key());
            } else {
                known.put(event.key(), event.revision());
            }
        }
    }

    Question question() {
        Range part = Range.keysBelow(prefix).page(after, PART, 0);
        Range whole = readsLastWritten() ? Range.lastWritten(prefix) : Range.anyBelow(prefix);
        Txn txn = known.size() > PART ? Txn.read(part, whole) : Txn.read(part);
        return new Question(txn, after, era);
    }

    private boolean readsLastWritten() {
        return audits % NOW_AND_THEN == NOW_AND_THEN - 1 || !heard || !doubtful.isEmpty();
    }

    /** Returns whether an event is missing. */
    boolean missed(Question asked, Result answer) {
        if (asked.era() != era) {
            return false;
        }
        Part part = answer.parts().get(0);
        long revision = answer.header().revision();
        Set<Doubt> differing = differing(asked.after(), end(part), part.kvs(), revision);
        if (answer.parts().size() > 1) {
            whole(answer.parts().get(1), revision, differing);
        }
        audits++;
        boolean again = differing.stream().anyMatch(doubtful::contains);
        boolean deaf = !heard && !doubtful.isEmpty() && !differing.isEmpty();
        doubtful = differing;
        heard = false;
        if (differing.isEmpty()) {
            String end = end(part);
            after = end == null ? "" : end;
        }
        return again || deaf;
    }

    /** Returns the last key of the part; null if the part was the last one. */
    private static @Nullable String end(Part part) {
        int size = part.kvs().size();
        return part.count() > size && size > 0 ? part.kvs().get(size - 1).key() : null;
    }

    private Set<Doubt> differing(String from, @Nullable String to, List<Kv> there, long revision) {
        Map<String, Long> expected =
                new HashMap<>(to == null ? known.tailMap(from, false) : known.subMap(from, false, to, true));
        Set<Doubt> differing = new HashSet<>();
        for (Kv kv : there) {
            if (!expected.remove(kv.key(), kv.written())) {
                differing.add(new Doubt(kv.key(), kv.written(), true));
            }
        }
        expected.forEach((key, written) -> {
            if (written <= revision) {
                differing.add(new Doubt(key, written, false));
            }
        });
        return differing;
    }

    /** Compares the number of keys, and one of them. */
    private void whole(Part last, long revision, Set<Doubt> differing) {
        last.first()
                .filter(kv -> known.getOrDefault(kv.key(), 0L) < kv.written())
                .ifPresent(kv -> differing.add(new Doubt(kv.key(), kv.written(), true)));
        if (last.count() != known.size()) {
            differing.add(new Doubt(prefix, revision, true));
        }
    }
}
