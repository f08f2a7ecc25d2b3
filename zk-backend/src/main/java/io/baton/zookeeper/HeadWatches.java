package io.baton.zookeeper;

import io.baton.zookeeper.ZkWire.Change;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Those who follow, in a session, who stands first in a line. The last one to leave a line takes the watch on it away,
 * unless the line is {@link Following followed} by those who stand in it: the server drops all of a path at once.
 */
final class HeadWatches {

    private final ZkSession session;
    private final Set<HeadWatch> all = new LinkedHashSet<>();

    HeadWatches(ZkSession session) {
        this.session = session;
    }

    /** Begins to follow; what is returned ends it. */
    Runnable add(HeadWatch watch) {
        if (session.open()) {
            all.add(watch);
            if (session.connected()) {
                watch.connected();
            }
        }
        return () -> stop(watch);
    }

    void connected() {
        List.copyOf(all).forEach(HeadWatch::connected);
    }

    void changed(String path, Change change) {
        List.copyOf(all).forEach(watch -> watch.changed(path, change));
    }

    /** The lines that are followed. */
    Set<String> paths() {
        return all.stream().map(HeadWatch::path).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** A listing of the line at this path, made in passing. */
    void audit(String path, Set<String> names) {
        List.copyOf(all).stream().filter(watch -> watch.path().equals(path)).forEach(watch -> watch.audit(names));
    }

    void clear() {
        all.forEach(HeadWatch::close);
        all.clear();
    }

    /** Whether somebody needs the watch on the line at this path. */
    boolean needs(String path) {
        return all.stream().anyMatch(watch -> watch.path().equals(path));
    }

    private void stop(HeadWatch watch) {
        watch.close();
        if (all.remove(watch)) {
            drop(watch.path());
        }
    }

    private void drop(String path) {
        if (needs(path) || !session.followings().leaves(path) || !session.open()) {
            return;
        }
        session.wire().unwatch(path, (code, nothing) -> {
            if (code == Code.CONNECTIONLOSS) {
                // The client library sets the watch again on reconnecting, so the removal is still owed.
                session.again(() -> !needs(path), () -> drop(path));
            }
        });
    }
}
