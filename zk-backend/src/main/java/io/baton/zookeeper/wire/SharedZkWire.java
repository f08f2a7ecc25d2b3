package io.baton.zookeeper.wire;

import io.baton.CoordinationException;
import io.baton.StoreUnavailableException;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.ZooKeeper.States;
import org.jspecify.annotations.Nullable;

/**
 * The wire on a handle that another program owns and continues to use.
 *
 * <p>The handle reports every change of its state to all watchers registered with it, in the order of its event thread.
 * Baton registers one watcher by a persistent watch on an unused path. It receives every state change, and the owner's
 * default watcher stays unchanged.
 *
 * <p>Watches are removed one by one, on the client side only. Removal on the server would also remove the owner's
 * watches on the same path. The server keeps its watch, which for an entry ends with the entry. The handle discards
 * events that no watcher waits for.
 */
public final class SharedZkWire implements ZkWire {

    /** Returns the live handle. */
    public interface Handles {
        ZooKeeper current() throws Exception;
    }

    private static final Duration AGAIN = Duration.ofMillis(100);

    /** Never a node: no node of Baton can have this name. */
    private static final String STATE = ".baton-state";

    private final ZooKeeper zk;
    private final Loop loop;
    private final Events events;
    private final ZkAddress address;
    private final LiveZkWire requests;
    private final Watcher watcher = this::event;
    private final Set<String> watchedOnce = ConcurrentHashMap.newKeySet();
    private final Set<String> followed = ConcurrentHashMap.newKeySet();
    private volatile @Nullable SharedSessionCleanup farewell;

    private SharedZkWire(ZooKeeper zk, ZkAddress address, Acl acl, Loop loop, Events events) {
        this.zk = zk;
        this.loop = loop;
        this.events = events;
        this.address = address;
        this.requests = new LiveZkWire(zk, acl, loop, events, watcher);
        listen();
    }

    /** Returns a factory. Each wire uses the handle that is live when the wire is made. */
    public static Factory on(Handles handles, ZkAddress address, Acl acl, Loop loop) {
        return new Factory() {
            @Override
            public ZkWire open(Duration timeout, Events events) {
                return new SharedZkWire(live(handles), address, acl, loop, events);
            }

            @Override
            public boolean shared() {
                return true;
            }
        };
    }

    private static ZooKeeper live(Handles handles) {
        try {
            ZooKeeper now = handles.current();
            if (now != null && now.getState().isAlive()) {
                return now;
            }
            throw new StoreUnavailableException(
                    "the shared client has no live session: is it started, and not closed?");
        } catch (CoordinationException known) {
            throw known;
        } catch (Throwable failed) {
            throw new StoreUnavailableException(
                    "the shared client has no live session: " + failed.getMessage(), failed);
        }
    }

    @Override
    public void create(String path, byte[] data, CreateMode mode, Reply<Node> reply) {
        requests.create(path, data, mode, reply);
    }

    @Override
    public void children(String path, Reply<List<String>> reply) {
        requests.children(path, reply);
    }

    @Override
    public void read(String path, Reply<Node> reply) {
        requests.read(path, reply);
    }

    @Override
    public void watch(String path, Reply<Node> reply) {
        watchedOnce.add(path);
        requests.watch(path, (code, node) -> {
            if (code != Code.OK) {
                watchedOnce.remove(path);
            }
            reply.accept(code, node);
        });
    }

    @Override
    public void follow(String path, Reply<Void> reply) {
        followed.add(path);
        requests.follow(path, reply);
    }

    @Override
    public void unwatch(String path, Reply<Void> reply) {
        // Not with the answer: the path may be watched again by then.
        watchedOnce.remove(path);
        followed.remove(path);
        AsyncCallback.VoidCallback done = (rc, asked, ctx) -> requests.onLoop(() -> reply.accept(Code.OK, null));
        zk.removeWatches(path, watcher, WatcherType.Any, true, done, null);
    }

    @Override
    public void delete(String path, Reply<Void> reply) {
        requests.delete(path, reply);
    }

    @Override
    public void multi(List<ZkOp> ops, MultiReply reply) {
        requests.multi(ops, reply);
    }

    @Override
    public void foreignAcl(String path, Reply<String> difference) {
        requests.foreignAcl(path, difference);
    }

    @Override
    public int maxAnswer() {
        return requests.maxAnswer();
    }

    @Override
    public void close(Consumer<Boolean> done) {
        leave(List.of(), done);
    }

    @Override
    public void leave(List<String> beginnings, Consumer<Boolean> done) {
        SharedSessionCleanup started = new SharedSessionCleanup(zk, address.root(), beginnings, gone -> {
            forget();
            requests.onLoop(() -> done.accept(gone));
        });
        farewell = started;
        started.attempt();
    }

    /**
     * Registers for changes of the handle's state. The answer proves contact, unless the handle is in read-only mode. A
     * server in that mode has no ensemble and no session.
     */
    private void listen() {
        AsyncCallback.VoidCallback done = (rc, asked, ctx) -> {
            Code code = Code.get(rc);
            if (farewell != null) {
                forget();
            } else if (code == Code.OK && zk.getState() != States.CONNECTEDREADONLY) {
                requests.connected();
            } else if (zk.getState().isAlive()) {
                requests.onLoop(() -> loop.after(AGAIN, this::listen));
            } else {
                CoordinationException why = new StoreUnavailableException(
                        "the shared client has given up its session",
                        code == null ? null : KeeperException.create(code));
                requests.onLoop(() -> events.closed(why));
            }
        };
        zk.addWatch(address.path(STATE), watcher, AddWatchMode.PERSISTENT, done, null);
    }

    private void event(WatchedEvent event) {
        SharedSessionCleanup leaving = farewell;
        if (event.getPath() != null) {
            watchedOnce.remove(event.getPath());
        }
        if (leaving == null) {
            requests.event(event);
        } else if (event.getType() == EventType.None) {
            leaving.moved(event.getState());
        }
    }

    private void forget() {
        AsyncCallback.VoidCallback done = (rc, path, ctx) -> {};
        List.of(Set.of(address.path(STATE)), watchedOnce, followed)
                .forEach(paths ->
                        paths.forEach(path -> zk.removeWatches(path, watcher, WatcherType.Any, true, done, null)));
    }
}
