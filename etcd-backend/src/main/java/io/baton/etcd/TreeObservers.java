package io.baton.etcd;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Those who follow records in a session. */
final class TreeObservers {

    private final Ground ground;
    private final Set<TreeObserver> all = new LinkedHashSet<>();

    TreeObservers(Ground ground) {
        this.ground = ground;
    }

    /** Begins to follow; what is returned ends it. */
    Runnable add(TreeObserver observer) {
        if (ground.open()) {
            all.add(observer);
            observer.connected();
        }
        return () -> {
            observer.close();
            all.remove(observer);
        };
    }

    void connected() {
        List.copyOf(all).forEach(TreeObserver::connected);
    }

    /** The session is over. */
    void clear() {
        all.forEach(TreeObserver::close);
        all.clear();
    }
}
