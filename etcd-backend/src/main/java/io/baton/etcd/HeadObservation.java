package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.spi.Entry;
import io.baton.spi.HeadListener;
import io.baton.spi.Line;
import java.util.Arrays;
import java.util.NavigableSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Follows the first entry of a line: of all its keys, the one created first. */
final class HeadObservation extends LineObservation {

    private final HeadListener to;
    private boolean begun;
    private @Nullable Kv told;

    HeadObservation(EtcdContext context, Line line, HeadListener to) {
        super(context, line, "who is first");
        this.to = to;
    }

    @Override
    void moved(NavigableSet<Kv> entries) {
        Kv first = entries.isEmpty() ? null : entries.first();
        if (!(begun && same(told, first))) {
            begun = true;
            told = first;
            to.head(Optional.ofNullable(first).map(this::entry));
        }
    }

    private Entry entry(Kv kv) {
        // Events do not carry leases.
        return new Entry(peer(kv), kv.created(), kv.value(), "");
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
