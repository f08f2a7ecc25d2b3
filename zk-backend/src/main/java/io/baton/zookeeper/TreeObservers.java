package io.baton.zookeeper;

import io.baton.zookeeper.wire.Errors;
import io.baton.zookeeper.wire.ZkWire;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A session's observers of records. When the last observer of a tree stops, the watch on it is removed. */
final class TreeObservers {

    private final ZkSession session;
    private final Set<TreeObserver> all = new LinkedHashSet<>();

    TreeObservers(ZkSession session) {
        this.session = session;
    }

    /** Adds an observer. Running the result removes it. */
    Runnable add(TreeObserver observer) {
        if (session.isOpen()) {
            all.add(observer);
            if (session.connected()) {
                observer.connected();
            }
        }
        return () -> stop(observer);
    }

    void connected() {
        List.copyOf(all).forEach(TreeObserver::connected);
    }

    void disconnected() {
        List.copyOf(all).forEach(TreeObserver::disconnected);
    }

    void changed(String path, ZkWire.Change change) {
        for (TreeObserver observer : List.copyOf(all)) {
            observer.changed(path, change);
        }
    }

    /** Checks one tree after the other for changes that no event reported. */
    void audit(Runnable done) {
        var trees = new BoundedRequests(1, done);
        all.forEach(observer -> trees.add(observer::audit));
        trees.start();
    }

    void clear() {
        all.clear();
    }

    private void stop(TreeObserver observer) {
        observer.close();
        if (all.remove(observer) && unfollowed(observer.root())) {
            unfollow(observer.root());
        }
    }

    private boolean unfollowed(String root) {
        return all.stream().noneMatch(other -> other.root().equals(root));
    }

    private void unfollow(String root) {
        session.wire().unwatch(root, (code, nothing) -> {
            if (Errors.passes(code)) {
                // The client library sets the watch again on reconnecting, so the removal is still pending.
                session.onReconnect(() -> unfollowed(root), () -> unfollow(root));
            }
        });
    }
}
