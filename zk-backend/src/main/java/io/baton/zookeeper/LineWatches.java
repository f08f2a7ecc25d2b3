package io.baton.zookeeper;

import io.baton.zookeeper.wire.Errors;
import io.baton.zookeeper.wire.ZkWire.Change;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A session's observers of lines. When the last observer of a line stops, the watch on it is
 * removed, unless places of this session {@link Following follow} it. The server drops all watches of a path at once.
 */
final class LineWatches {

    private final ZkSession session;
    /** By the path of the line. */
    private final Map<String, Set<LineWatch>> all = new LinkedHashMap<>();

    LineWatches(ZkSession session) {
        this.session = session;
    }

    /** Adds an observer. Running the result removes it. */
    Runnable add(LineWatch watch) {
        if (session.isOpen()) {
            all.computeIfAbsent(watch.path(), path -> new LinkedHashSet<>()).add(watch);
            if (session.connected()) {
                watch.connected();
            }
        }
        return () -> stop(watch);
    }

    void connected() {
        all().forEach(LineWatch::connected);
    }

    void changed(String path, Change change) {
        of(path).forEach(watch -> watch.changed(path, change));
        of(path.substring(0, path.lastIndexOf('/'))).forEach(watch -> watch.changed(path, change));
    }

    /** The paths of the observed lines. */
    Set<String> paths() {
        return all.keySet();
    }

    /** Checks the observers against a listing of an audit. */
    void audit(String path, Set<String> names) {
        of(path).forEach(watch -> watch.audit(names));
    }

    /** The line at this path may no longer be read. */
    void unreadable(String path) {
        of(path).forEach(LineWatch::unreadable);
    }

    void clear() {
        all().forEach(LineWatch::close);
        all.clear();
    }

    /** Whether an observer needs the watch on the line at this path. */
    boolean observes(String path) {
        return all.containsKey(path);
    }

    private List<LineWatch> of(String path) {
        return List.copyOf(all.getOrDefault(path, Set.of()));
    }

    private List<LineWatch> all() {
        var every = new ArrayList<LineWatch>();
        all.values().forEach(every::addAll);
        return every;
    }

    private void stop(LineWatch watch) {
        watch.close();
        Set<LineWatch> others = all.get(watch.path());
        if (others != null && others.remove(watch) && others.isEmpty()) {
            all.remove(watch.path());
            drop(watch.path());
        }
    }

    private void drop(String path) {
        if (observes(path) || !session.followings().isUnfollowed(path) || !session.isOpen()) {
            return;
        }
        session.wire().unwatch(path, (code, nothing) -> {
            if (Errors.passes(code)) {
                // The client library sets the watch again on reconnecting, so the removal is still pending.
                session.onReconnect(() -> !observes(path), () -> drop(path));
            }
        });
    }
}
