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
 * One watch per path on the server, however many places wait for it. It is dropped when no place waits any more.
 * Dropping and arming the same path never overlap, as the server would drop the new watch with the old.
 */
public final class Watches {

    /** Waits for a node's deletion. */
    interface Waiter {
        /** The node has gone, or did not exist when the watch was to be set. */
        void deleted();

        /** The node was written. */
        default void written() {}

        /** The contact broke before the watch was set. No event will follow. */
        void unwatched();

        /** This client may not read the node, so no event will follow. */
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
        private long armedOn;
        /** Whether changes may have gone unnoticed while an earlier watch on the path was dropped. */
        private boolean unseen;
    }

    private final ZkSession session;
    private final Map<String, Watch> watches = new HashMap<>();
    private long connection;

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

    /** Handles a change of a watched node. It consumes the node's watch, but not a recursive one. */
    void changed(String path, ZkWire.Change change) {
        Watch watch = watches.get(path);
        if (watch == null) {
            return;
        }
        if (change == ZkWire.Change.DELETED) {
            end(path, watch, Waiter::deleted);
        } else if (watch.waiters.isEmpty()) {
            watches.remove(path);
        } else {
            if (watch.state == State.ARMED) {
                arm(path, watch);
            }
            if (change == ZkWire.Change.WRITTEN) {
                List.copyOf(watch.waiters).forEach(Waiter::written);
            }
        }
    }

    /**
     * Whether a watch on this path is wanted and an answer is pending. The answer shows that the watch is set, or that
     * the node has gone.
     */
    boolean isBeingSet(String path) {
        Watch watch = watches.get(path);
        return watch != null && watch.state != State.ARMED;
    }

    /**
     * Whether a watch on this path was set on the present connection, and its event is still to come. After a break the
     * client library sets watches again, but nobody hears of it if the server does not.
     */
    boolean isSet(String path) {
        Watch watch = watches.get(path);
        return watch != null && watch.state == State.ARMED && watch.armedOn == connection;
    }

    /** A number for the present connection. */
    long connection() {
        return connection;
    }

    /** The contact broke. Events of what has happened in between will come in no particular order. */
    void disconnected() {
        connection++;
    }

    /** The number of watched paths. */
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
                watch.armedOn = connection;
                if (watch.waiters.isEmpty()) {
                    drop(path, watch);
                } else if (watch.unseen) {
                    watch.unseen = false;
                    List.copyOf(watch.waiters).forEach(Waiter::written);
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
                // The client library sets the watch again on reconnecting, so the removal is still pending.
                session.onReconnect(() -> watches.get(path) == watch, () -> dropAgain(path, watch));
            } else if (watch.waiters.isEmpty()) {
                watches.remove(path);
            } else {
                watch.unseen = true;
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
