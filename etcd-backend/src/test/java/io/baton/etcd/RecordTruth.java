package io.baton.etcd;

import io.baton.Item;
import io.baton.Position;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Range;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** What was in a tree of records, at each revision, in each of the courses that the simulated store has taken. */
final class RecordTruth {

    private final SimEtcd etcd;
    private final String prefix;

    /** {@code prefix} is how the keys of the tree begin. */
    RecordTruth(SimEtcd etcd, String prefix) {
        this.etcd = etcd;
        this.prefix = prefix;
    }

    /** Which course the store takes now; it takes another whenever a backup is restored. */
    int course() {
        return etcd.courses().size() - 1;
    }

    /** Whether, in this course, the records were these together at this position. */
    boolean was(int course, Map<String, String> records, Position at) {
        SimEtcd.Course its = etcd.courses().get(course);
        return at.history().equals(Long.toHexString(its.cluster()))
                && at.revision() <= its.store().revision()
                && records.equals(records(its.store(), at.revision()));
    }

    /** What there is now. */
    Map<String, String> now() {
        return records(etcd.decided(), 0);
    }

    /** For people: what there was in the newest course. */
    Map<String, String> at(long revision) {
        return records(etcd.decided(), Math.min(revision, etcd.decided().revision()));
    }

    /** Whether something in the tree was changed after the one revision and before the other, in the newest course. */
    boolean changedBetween(long after, long before) {
        return after + 1 < before
                && etcd.history(after + 1, before - 1).stream()
                        .anyMatch(events -> events.stream().anyMatch(this::concerns));
    }

    private boolean concerns(Event event) {
        return event.key().startsWith(prefix) && !event.key().contains("%");
    }

    /** A record's value, and when it was written. */
    static String text(Item item) {
        return text(item.value(), item.revision().order());
    }

    private static String text(byte[] value, long written) {
        return new String(value, StandardCharsets.UTF_8) + "@" + written;
    }

    private Map<String, String> records(SimStore store, long revision) {
        var records = new TreeMap<String, String>();
        for (Kv kv : store.range(Range.below(prefix).page("", 0, revision)).kvs()) {
            if (!kv.key().contains("%")) {
                records.put(kv.key().substring(prefix.length()), text(kv.value(), kv.written()));
            }
        }
        return records;
    }
}
