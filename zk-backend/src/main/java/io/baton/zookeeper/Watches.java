package io.baton.zookeeper;

import io.baton.zookeeper.wire.Errors;
import io.baton.zookeeper.wire.ZkWire;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;

/**
 * One watch per path on the server, however many wait for it. Dropped when nobody waits any more; dropping and arming
 * the same path never overlap, as the server would drop the new one with the old.
 */
public final class Watches {

    /** Waits for a node to go. */
    interface Waiter {
        /** The node has gone, or was not there when the watch was to be set. */
        void deleted();

        /** The contact broke before the watch was set; nothing will be told. */
        void unwatched();

        /** We may not read the node, so nothing of it will ever be told. */
        void unreadable();
    }

    private enum State {
        ARMING,
        ARMED,
        DROPPING
    }

    private static final class Watch {
        private final Set<Waiter> waiters = new LinkedHashSet<>();
        private State state = State.ARMING;
    }

    private final ZkSession session;
    private final Map<String, Watch> watches = new HashMap<>();

    Watches(ZkSession session) {
        this.session = session;
    }

    void add(String path, Waiter waiter) {
        Watch watch = watches.get(path);
        if (watch == null) {
            watch = new Watch();
            watches.put(path, watch);
            watch.waiters.add(waiter);
            arm(path, watch);
        } else {
            watch.waiters.add(waiter);
        }
    }

    void remove(String path, Waiter waiter) {
        Watch watch = watches.get(path);
        if (watch != null && watch.waiters.remove(waiter) && watch.waiters.isEmpty() && watch.state == State.ARMED) {
            drop(path, watch);
        }
    }

    /** A watched node has changed: its watch, unless it is one on a whole tree, is used up. */
    void changed(String path, ZkWire.Change change) {
        Watch watch = watches.get(path);
        if (watch == null) {
            return;
        }
        if (change == ZkWire.Change.DELETED) {
            end(path, watch, Waiter::deleted);
        } else if (watch.waiters.isEmpty()) {
            watches.remove(path);
        } else if (watch.state == State.ARMED) {
            arm(path, watch);
        }
    }

    /** Whether a watch on this path is wanted, and an answer tells whether it is set, or that the node has gone. */
    boolean isBeingSet(String path) {
        Watch watch = watches.get(path);
        return watch != null && watch.state != State.ARMED;
    }

    /** How many paths are watched. */
    int size() {
        return watches.size();
    }

    private void arm(String path, Watch watch) {
        watch.state = State.ARMING;
        session.wire().watch(path, (code, node) -> {
            if (watches.get(path) != watch) {
                return;
            }
            if (code == Code.OK) {
                watch.state = State.ARMED;
                if (watch.waiters.isEmpty()) {
                    drop(path, watch);
                }
            } else if (code == Code.NONODE) {
                end(path, watch, Waiter::deleted);
            } else if (code == Code.NOAUTH) {
                end(path, watch, Waiter::unreadable);
            } else {
                end(path, watch, Waiter::unwatched);
            }
        });
    }

    private void drop(String path, Watch watch) {
        watch.state = State.DROPPING;
        session.wire().unwatch(path, (code, nothing) -> {
            if (watches.get(path) != watch) {
                return;
            }
            if (Errors.passes(code)) {
                // The client library sets the watch again on reconnecting, so the removal is still owed.
                session.onReconnect(() -> watches.get(path) == watch, () -> dropAgain(path, watch));
            } else if (watch.waiters.isEmpty()) {
                watches.remove(path);
            } else {
                arm(path, watch);
            }
        });
    }

    private void dropAgain(String path, Watch watch) {
        if (watches.get(path) == watch) {
            drop(path, watch);
        }
    }

    private void end(String path, Watch watch, Consumer<Waiter> tell) {
        watches.remove(path);
        List<Waiter> waiters = new ArrayList<>(watch.waiters);
        waiters.forEach(tell);
    }
}
