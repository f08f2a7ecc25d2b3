package io.baton.etcd;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A session's watches for observers of records and lines. */
final class PrefixWatches {

    private final EtcdContext context;
    private final Set<PrefixWatch> all = new LinkedHashSet<>();

    PrefixWatches(EtcdContext context) {
        this.context = context;
    }

    /** Adds a watch. Running the result removes it. */
    Runnable add(PrefixWatch watch) {
        if (context.isOpen()) {
            all.add(watch);
            watch.connected();
        }
        return () -> {
            watch.close();
            all.remove(watch);
        };
    }

    void connected() {
        List.copyOf(all).forEach(PrefixWatch::connected);
    }

    /** The session has ended. */
    void clear() {
        all.forEach(PrefixWatch::close);
        all.clear();
    }
}
