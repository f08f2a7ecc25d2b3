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
 * Follows who stands first in a line: of all its keys the one that was created first. Events carry what an entry says,
 * so nothing is read again. A key that goes and comes again is another entry; one that is written again, as when a
 * session moves to another lease, is the same.
 *
 * <p>Events and answers are not ordered, so a {@link #audit read in passing} that finds something else than was told says
 * nothing yet; but what the next one finds again has not been on its way so long. In a line that moves on it may find
 * something else each time: then not one event in between tells that none come.
 */
final class HeadObservation implements PrefixWatch.Listener {

    private static final Comparator<Kv> LINE_ORDER =
            Comparator.comparingLong(Kv::created).thenComparing(Kv::key);

    /** One writing of a key. */
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

    /** What it is told by. */
    PrefixWatch watch() {
        return watch;
    }

    /** How the keys of the line begin. */
    String prefix() {
        return prefix;
    }

    /** The line as it was at this revision, read in passing, to catch what the server failed to tell. */
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
        // Events do not tell leases.
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
