package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Follows the entries of a line, in the order of their creation. Events carry the entries' values, so no further reads
 * are needed. A key deleted and created again is another entry. A key rewritten, as on a move to another lease, is the
 * same.
 *
 * <p>Events and answers are not ordered, so one difference found by an {@link #audit} proves nothing. If the next audit
 * finds the same difference, its event is lost: it would have arrived by then. In a line that moves on, each audit may
 * find another difference. Then the watch has fallen silent if there was no event in between.
 */
abstract class LineObservation implements PrefixWatch.Listener {

    private static final Comparator<Kv> LINE_ORDER =
            Comparator.comparingLong(Kv::created).thenComparing(Kv::key);

    /** One write of a key. */
    private record Writing(String key, long revision) {}

    private final Line line;
    private final String prefix;
    private final PrefixWatch watch;
    private final Map<String, Kv> entries = new HashMap<>();
    private final TreeSet<Kv> ordered = new TreeSet<>(LINE_ORDER);
    private Set<Writing> doubtful = Set.of();
    private boolean heard;
    private boolean begun;

    /** Creates an observation; {@code what} says for people what is not known while the line cannot be read. */
    LineObservation(EtcdContext context, Line line, String what) {
        this.line = line;
        this.prefix = context.key(line) + "/";
        this.watch = new PrefixWatch(context, prefix, what + " in " + line, this);
    }

    /** The entries have changed: these stand in the line now, in order. */
    abstract void moved(NavigableSet<Kv> entries);

    /** The contender of this entry. */
    Peer peer(Kv kv) {
        String name = kv.key().substring(prefix.length());
        return new Peer(line, name, kv.created(), EntryNames.claim(line.kind(), name));
    }

    /** The watch that supplies the events. */
    PrefixWatch watch() {
        return watch;
    }

    /** The prefix of the line's keys. */
    String prefix() {
        return prefix;
    }

    /** Compares with an audit's read of the line at this revision, to find lost events. */
    void audit(long revision, List<Kv> all) {
        Set<Writing> found = new HashSet<>();
        all.forEach(kv -> found.add(writing(kv)));
        Set<Writing> known = new HashSet<>();
        entries.values().stream().filter(kv -> kv.written() <= revision).forEach(kv -> known.add(writing(kv)));
        Set<Writing> differing = new HashSet<>(found);
        differing.removeAll(known);
        known.removeAll(found);
        differing.addAll(known);
        boolean again = differing.stream().anyMatch(doubtful::contains);
        boolean deaf = !heard && !doubtful.isEmpty() && !differing.isEmpty();
        boolean missed = begun && (again || deaf);
        doubtful = differing;
        heard = false;
        if (missed) {
            watch.distrust();
        }
    }

    private static Writing writing(Kv kv) {
        return new Writing(kv.key(), kv.written());
    }

    @Override
    public void snapshot(List<Kv> all, Header header) {
        entries.clear();
        ordered.clear();
        doubtful = Set.of();
        all.forEach(this::put);
        begun = true;
        moved(ordered);
    }

    @Override
    public void changed(List<Event> events) {
        heard = true;
        for (Event event : events) {
            if (event.deleted()) {
                remove(event.key());
            } else {
                put(new Kv(event.key(), event.value(), event.created(), event.revision(), 0));
            }
        }
        moved(ordered);
    }

    private void put(Kv entry) {
        remove(entry.key());
        entries.put(entry.key(), entry);
        ordered.add(entry);
    }

    private void remove(String key) {
        Kv before = entries.remove(key);
        if (before != null) {
            ordered.remove(before);
        }
    }
}
