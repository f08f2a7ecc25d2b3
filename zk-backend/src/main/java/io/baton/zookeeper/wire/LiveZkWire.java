package io.baton.zookeeper.wire;

import io.baton.CoordinationException;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.spi.Loop;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.ErrorResult;
import org.apache.zookeeper.OpResult.SetDataResult;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The wire on the ZooKeeper client library. The library's event thread delivers replies and events in one order and
 * passes each on to the loop, which keeps the order. On an own handle, that thread serves this wire alone.
 */
public final class LiveZkWire implements ZkWire {

    private final Loop loop;
    private final Events events;
    private final ZooKeeper zk;
    private final Watcher watcher;
    private final boolean shared;
    private final CompletableFuture<ZooKeeper> made = new CompletableFuture<>();

    private final Acl acl;
    private final @Nullable RewindDetector setback;
    private final @Nullable ContactDiagnosis diagnosis;

    private LiveZkWire(ZkAddress address, Settings settings, Duration timeout, Loop loop, Events events)
            throws IOException {
        this.loop = loop;
        this.events = events;
        this.acl = settings.acl();
        this.shared = false;
        this.watcher = this::event;
        Optional<byte[]> credentials = settings.digest().map(Acl.Digest::bytes);
        OwnHandle own = OwnHandle.open(address.hosts(), timeout, loop::nanoTime, watcher, settings.client());
        this.zk = own;
        this.setback = new RewindDetector(loop, address, settings, own, timeout, this::setBack);
        made.complete(zk);
        // Before any request, as requests are sent on the loop, and this runs on the loop.
        credentials.ifPresent(digest -> zk.addAuthInfo("digest", digest));
        this.diagnosis = new ContactDiagnosis(loop, address, settings.tls(), timeout, events);
    }

    /** Sends requests on a shared handle. The events of its watches go to the watcher. */
    LiveZkWire(ZooKeeper zk, Acl acl, Loop loop, Events events, Watcher watcher) {
        this.loop = loop;
        this.events = events;
        this.acl = acl;
        this.shared = true;
        this.watcher = watcher;
        this.zk = zk;
        this.setback = null;
        this.diagnosis = null;
        made.complete(zk);
    }

    /** Returns a factory of wires to these servers. */
    public static Factory to(ZkAddress address, Settings settings, Loop loop) {
        return (timeout, events) -> {
            try {
                return new LiveZkWire(address, settings, timeout, loop, events);
            } catch (IOException failed) {
                throw new StoreUnavailableException("cannot start a ZooKeeper client for " + address, failed);
            }
        };
    }

    @Override
    public void create(String path, byte[] data, CreateMode mode, Reply<Node> reply) {
        AsyncCallback.Create2Callback done = (rc, asked, ctx, name, stat) ->
                answer(reply, rc, stat == null || name == null ? null : node(name, data, stat));
        zk.create(path, data, acl.entries(), mode, done, null);
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
        zk.getData(path, watcher, data(reply), null);
    }

    @Override
    public void unwatch(String path, Reply<Void> reply) {
        AsyncCallback.VoidCallback done = (rc, asked, ctx) -> answer(reply, rc, null);
        zk.removeAllWatches(path, Watcher.WatcherType.Any, false, done, null);
    }

    @Override
    public void follow(String path, Reply<Void> reply) {
        AsyncCallback.VoidCallback done = (rc, asked, ctx) -> answer(reply, rc, null);
        zk.addWatch(path, watcher, AddWatchMode.PERSISTENT_RECURSIVE, done, null);
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
            long zxid = zxid(results);
            onLoop(() -> reply.accept(code(rc), failedAt, zxid));
        };
        zk.multi(translated, done, null);
    }

    @Override
    public void foreignAcl(String path, Reply<String> reply) {
        if (acl.checked()) {
            AsyncCallback.ACLCallback done = (rc, asked, ctx, entries, stat) -> answer(
                    reply, rc, entries == null ? null : acl.difference(entries).orElse(null));
            zk.getACL(path, null, done, null);
        }
    }

    @Override
    public int maxAnswer() {
        return zk.getClientConfig().getInt(ZKConfig.JUTE_MAXBUFFER, ZKClientConfig.CLIENT_MAX_PACKET_LENGTH_DEFAULT);
    }

    @Override
    public void close(Consumer<Boolean> done) {
        if (setback != null) {
            setback.close();
        }
        if (diagnosis != null) {
            diagnosis.close();
        }
        if (zk instanceof OwnHandle own) {
            own.end(ended -> onLoop(() -> done.accept(ended)));
        } else {
            onLoop(() -> done.accept(false));
        }
    }

    /** An own handle ends with the wire, and all its nodes and watches with it. */
    @Override
    public void leave(List<String> beginnings, Consumer<Boolean> done) {
        close(done);
    }

    /** Handles an event of the handle. */
    void event(WatchedEvent event) {
        switch (event.getType()) {
            case None -> link(event.getState());
            case NodeCreated -> changed(event, Change.CREATED);
            case NodeDataChanged -> changed(event, Change.WRITTEN);
            case NodeDeleted -> changed(event, Change.DELETED);
            default -> {}
        }
    }

    /** The handle is in contact. Called on its event thread. */
    void connected() {
        ZooKeeper handle = made.join(); // the first event may come before the constructor has ended
        long id = handle.getSessionId();
        Duration negotiated = Duration.ofMillis(handle.getSessionTimeout());
        onLoop(() -> {
            if (setback != null) {
                setback.connected();
            }
            if (diagnosis != null) {
                diagnosis.connected();
            }
            events.connected(id, negotiated);
        });
    }

    private void disconnected() {
        if (setback != null) {
            setback.disconnected();
        }
        if (diagnosis != null) {
            diagnosis.disconnected();
        }
        events.disconnected();
    }

    private void setBack() {
        events.closed(new SessionLostException(
                "the servers know less than this client has seen: they were set back or replaced"));
    }

    private void link(Watcher.Event.KeeperState state) {
        switch (state) {
            case SyncConnected -> connected();
            case Disconnected -> onLoop(this::disconnected);
            case Expired -> onLoop(events::expired);
            case AuthFailed ->
                onLoop(() -> events.closed(new CoordinationException("ZooKeeper refuses this client's credentials")));
            case Closed -> {
                // Only this wire closes its own handle, so the session needs no event.
                if (shared) {
                    onLoop(() -> events.closed(new SessionLostException("the shared client has closed its session")));
                }
            }
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
        return new Node(
                path,
                data,
                stat.getCzxid(),
                stat.getMzxid(),
                stat.getPzxid(),
                stat.getVersion(),
                stat.getNumChildren(),
                // cversion counts creations and deletions. Each child was created, and deleted unless it exists.
                (stat.getCversion() + stat.getNumChildren()) / 2,
                stat.getEphemeralOwner());
    }

    private <T> void answer(Reply<T> reply, int rc, @Nullable T value) {
        onLoop(() -> reply.accept(code(rc), value));
    }

    void onLoop(Runnable task) {
        try {
            // A shared handle's event thread must not run the loop's tasks.
            if (shared) {
                loop.execute(task);
            } else {
                loop.deliver(task);
            }
        } catch (RejectedExecutionException closed) {
            // The coordinator has been closed, so the task has no effect.
        }
    }

    private Code code(int rc) {
        Code code = Code.get(rc);
        if (shared && code == Code.SESSIONEXPIRED) {
            // A handle that is being closed returns this, too. A real expiry also sends an event.
            return Code.CONNECTIONLOSS;
        }
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

    private static long zxid(@Nullable List<OpResult> results) {
        if (results != null) {
            for (OpResult each : results) {
                if (each instanceof SetDataResult written) {
                    return written.getStat().getMzxid();
                }
            }
        }
        return 0;
    }

    private Op translate(ZkOp op) {
        if (op instanceof ZkOp.Check check) {
            return Op.check(check.path(), check.version());
        } else if (op instanceof ZkOp.Create create) {
            return Op.create(create.path(), create.data(), acl.entries(), CreateMode.PERSISTENT);
        } else if (op instanceof ZkOp.Write write) {
            return Op.setData(write.path(), write.data(), write.version());
        } else if (op instanceof ZkOp.Delete delete) {
            return Op.delete(delete.path(), delete.version());
        }
        throw new AssertionError(op);
    }
}
