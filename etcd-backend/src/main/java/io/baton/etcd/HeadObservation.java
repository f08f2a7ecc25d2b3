package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.spi.Entry;
import io.baton.spi.HeadListener;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Follows the first entry of a line: of all its keys, the one created first. Events carry the entries' values, so no
 * further reads are needed. A key deleted and created again is another entry. A key rewritten, as on a move to another
 * lease, is the same.
 *
 * <p>Events and answers are not ordered, so one difference found by an {@link #audit} proves nothing. If the next audit
 * finds the same difference, its event is lost: it would have arrived by then. In a line that moves on, each audit may
 * find another difference. Then the watch has fallen silent if there was no event in between.
 */
final class HeadObservation implements PrefixWatch.Listener {

    private static final Comparator<Kv> LINE_ORDER =
            Comparator.comparingLong(Kv::created).thenComparing(Kv::key);

    /** One write of a key. */
    private record Writing(String key, long revision) {}

    private final Line line;
    private final String prefix;
    private final HeadListener to;
    private final PrefixWatch watch;
    private final Map<String, Kv> entries = new HashMap<>();
    private final TreeSet<Kv> ordered = new TreeSet<>(LINE_ORDER);
    private Set<Writing> doubtful = Set.of();
    private boolean heard;
    private boolean begun;
    private @Nullable Kv told;

    HeadObservation(EtcdContext context, Line line, HeadListener to) {
        this.line = line;
        this.prefix = context.key(line) + "/";
        this.to = to;
        this.watch = new PrefixWatch(context, prefix, "who is first in " + line, this);
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
        notifyListener();
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
        notifyListener();
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

    private void notifyListener() {
        Kv first = ordered.isEmpty() ? null : ordered.first();
        if (!(begun && same(told, first))) {
            begun = true;
            told = first;
            to.head(Optional.ofNullable(first).map(this::entry));
        }
    }

    private Entry entry(Kv kv) {
        Peer peer = new Peer(line, kv.key().substring(prefix.length()), kv.created());
        // Events do not carry leases.
        return new Entry(peer, kv.created(), kv.value(), "");
    }

    private static boolean same(@Nullable Kv one, @Nullable Kv other) {
        if (one == null || other == null) {
            return one == null && other == null;
        }
        return one.key().equals(other.key())
                && one.created() == other.created()
                && Arrays.equals(one.value(), other.value());
    }
}
