package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import java.util.List;
import java.util.NavigableSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Follows all entries of a line. */
final class PeersObservation extends LineObservation {

    private final Consumer<List<Peer>> to;
    private @Nullable List<Peer> told;

    PeersObservation(EtcdContext context, Line line, Consumer<List<Peer>> to) {
        super(context, line, "who stands");
        this.to = to;
    }

    @Override
    void moved(NavigableSet<Kv> entries) {
        List<Peer> now = entries.stream().map(this::peer).toList();
        if (!now.equals(told)) {
            told = now;
            to.accept(now);
        }
    }
}
