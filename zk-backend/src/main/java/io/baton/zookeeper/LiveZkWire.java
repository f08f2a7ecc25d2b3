package io.baton.zookeeper;

import io.baton.StoreUnavailableException;
import io.baton.spi.Loop;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.ErrorResult;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The wire on the ZooKeeper client library. Its event thread, which serves this wire alone, delivers replies and events
 * in one order; each is handed to the loop from there, so the order stays.
 */
final class LiveZkWire implements ZkWire {

    private final Loop loop;
    private final Events events;
    private final ZooKeeper zk;
    private final CompletableFuture<ZooKeeper> made = new CompletableFuture<>();

    private LiveZkWire(String hosts, Duration timeout, Loop loop, Events events) throws IOException {
        this.loop = loop;
        this.events = events;
        this.zk = new ZooKeeper(hosts, (int) timeout.toMillis(), this::event, false, new ZKClientConfig());
        made.complete(zk);
    }

    /** A factory of wires to these servers, as {@code h1:2181,h2:2181}. */
    static Factory to(String hosts, Loop loop) {
        return (timeout, events) -> {
            try {
                return new LiveZkWire(hosts, timeout, loop, events);
            } catch (IOException failed) {
                throw new StoreUnavailableException("cannot start a ZooKeeper client for " + hosts, failed);
            }
        };
    }

    @Override
    public void create(String path, byte[] data, CreateMode mode, Reply<Node> reply) {
        AsyncCallback.Create2Callback done = (rc, asked, ctx, name, stat) ->
                answer(reply, rc, stat == null || name == null ? null : node(name, data, stat));
        zk.create(path, data, Ids.OPEN_ACL_UNSAFE, mode, done, null);
    }

    @Override
    public void children(String path, Reply<List<String>> reply) {
        AsyncCallback.ChildrenCallback done = (rc, asked, ctx, names) -> answer(reply, rc, names);
        zk.getChildren(path, false, done, null);
    }

    @Override
    public void read(String path, Reply<Node> reply) {
        zk.getData(path, false, data(reply), null);
    }

    @Override
    public void watch(String path, Reply<Node> reply) {
        zk.getData(path, true, data(reply), null);
    }

    @Override
    public void unwatch(String path, Reply<Void> reply) {
        AsyncCallback.VoidCallback done = (rc, asked, ctx) -> answer(reply, rc, null);
        zk.removeAllWatches(path, Watcher.WatcherType.Any, false, done, null);
    }

    @Override
    public void follow(String path, Reply<Void> reply) {
        AsyncCallback.VoidCallback done = (rc, asked, ctx) -> answer(reply, rc, null);
        zk.addWatch(path, AddWatchMode.PERSISTENT_RECURSIVE, done, null);
    }

    @Override
    public void delete(String path, Reply<Void> reply) {
        AsyncCallback.VoidCallback done = (rc, asked, ctx) -> answer(reply, rc, null);
        zk.delete(path, -1, done, null);
    }

    @Override
    public void multi(List<ZkOp> ops, MultiReply reply) {
        var translated = new ArrayList<Op>(ops.size());
        ops.forEach(op -> translated.add(translate(op)));
        AsyncCallback.MultiCallback done = (rc, asked, ctx, results) -> {
            int failedAt = failedAt(results);
            onLoop(() -> reply.accept(code(rc), failedAt));
        };
        zk.multi(translated, done, null);
    }

    @Override
    public void close(Runnable done) {
        // The library's close waits for the server, so it gets a thread of its own; it ends with the read timeout.
        Thread closer = new Thread(
                () -> {
                    try {
                        zk.close();
                    } catch (InterruptedException nobodyDoesThat) {
                        Thread.currentThread().interrupt();
                    } finally {
                        onLoop(done);
                    }
                },
                "baton-zk-close");
        closer.setDaemon(true);
        closer.start();
    }

    private void event(WatchedEvent event) {
        switch (event.getType()) {
            case None -> link(event.getState());
            case NodeCreated -> changed(event, Change.CREATED);
            case NodeDataChanged -> changed(event, Change.WRITTEN);
            case NodeDeleted -> changed(event, Change.DELETED);
            default -> {}
        }
    }

    private void link(Watcher.Event.KeeperState state) {
        switch (state) {
            case SyncConnected -> {
                ZooKeeper handle = made.join(); // the first event may come before the constructor has ended
                long id = handle.getSessionId();
                Duration negotiated = Duration.ofMillis(handle.getSessionTimeout());
                onLoop(() -> events.connected(id, negotiated));
            }
            case Disconnected -> onLoop(events::disconnected);
            case Expired -> onLoop(events::expired);
            case AuthFailed -> onLoop(events::unauthorised);
            default -> {}
        }
    }

    private void changed(WatchedEvent event, Change change) {
        String path = event.getPath();
        if (path != null) {
            onLoop(() -> events.changed(path, change));
        }
    }

    private AsyncCallback.DataCallback data(Reply<Node> reply) {
        return (rc, path, ctx, data, stat) ->
                answer(reply, rc, stat == null ? null : node(path, data == null ? new byte[0] : data, stat));
    }

    private static Node node(String path, byte[] data, Stat stat) {
        return new Node(path, data, stat.getCzxid(), stat.getMzxid(), stat.getVersion(), stat.getEphemeralOwner());
    }

    private <T> void answer(Reply<T> reply, int rc, @Nullable T value) {
        onLoop(() -> reply.accept(code(rc), value));
    }

    private void onLoop(Runnable task) {
        try {
            loop.deliver(task);
        } catch (RejectedExecutionException closed) {
            // The coordinator has gone, and with it everybody who could care.
        }
    }

    private static Code code(int rc) {
        Code code = Code.get(rc);
        return code == null ? Code.SYSTEMERROR : code;
    }

    private static int failedAt(@Nullable List<OpResult> results) {
        if (results != null) {
            for (int i = 0; i < results.size(); i++) {
                if (results.get(i) instanceof ErrorResult error && error.getErr() != Code.OK.intValue()) {
                    return i;
                }
            }
        }
        return -1;
    }

    private static Op translate(ZkOp op) {
        if (op instanceof ZkOp.Check check) {
            return Op.check(check.path(), check.version());
        } else if (op instanceof ZkOp.Create create) {
            return Op.create(create.path(), create.data(), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        } else if (op instanceof ZkOp.Write write) {
            return Op.setData(write.path(), write.data(), write.version());
        } else if (op instanceof ZkOp.Delete delete) {
            return Op.delete(delete.path(), delete.version());
        }
        throw new AssertionError(op);
    }
}
