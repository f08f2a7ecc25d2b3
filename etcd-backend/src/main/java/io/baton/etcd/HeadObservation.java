package io.baton.etcd;

import io.baton.etcd.EtcdWire.Event;
import io.baton.etcd.EtcdWire.Kv;
import io.baton.spi.Entry;
import io.baton.spi.HeadObserver;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Follows who stands first in a line: of all its keys the one that was created first. Events carry what an entry says,
 * so nothing is read again. A key that goes and comes again is another entry; one that is written again, as when a
 * session moves to another lease, is the same.
 */
final class HeadObservation implements PrefixWatch.Listener {

    private static final Comparator<Kv> LINE_ORDER =
            Comparator.comparingLong(Kv::created).thenComparing(Kv::key);

    private final Line line;
    private final String prefix;
    private final HeadObserver to;
    private final Map<String, Kv> entries = new HashMap<>();
    private final TreeSet<Kv> ordered = new TreeSet<>(LINE_ORDER);
    private boolean begun;
    private @Nullable Kv told;

    private HeadObservation(Line line, String prefix, HeadObserver to) {
        this.line = line;
        this.prefix = prefix;
        this.to = to;
    }

    static PrefixWatch of(Ground ground, Line line, HeadObserver to) {
        String prefix = ground.key(line.path()) + "/";
        return new PrefixWatch(ground, prefix, "who is first in " + line, new HeadObservation(line, prefix, to));
    }

    @Override
    public void snapshot(List<Kv> all) {
        entries.clear();
        ordered.clear();
        all.forEach(this::put);
        tell();
    }

    @Override
    public void changed(List<Event> events) {
        for (Event event : events) {
            if (event.deleted()) {
                remove(event.key());
            } else {
                put(new Kv(event.key(), event.value(), event.created(), event.revision(), 0));
            }
        }
        tell();
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

    private void tell() {
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
