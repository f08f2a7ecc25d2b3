package io.baton.etcd;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Those who follow records and lines in a session. */
final class PrefixWatches {

    private final EtcdContext context;
    private final Set<PrefixWatch> all = new LinkedHashSet<>();

    PrefixWatches(EtcdContext context) {
        this.context = context;
    }

    /** Begins to follow; what is returned ends it. */
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

    /** The session is over. */
    void clear() {
        all.forEach(PrefixWatch::close);
        all.clear();
    }
}
