package io.baton.testkit.zookeeper;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/** ZooKeeper's own client, connected; remembers what became of its connection. */
final class RawClient implements AutoCloseable {

    private final List<KeeperState> states = new CopyOnWriteArrayList<>();
    private final ZooKeeper zookeeper;

    RawClient(String connectString, Duration timeout) throws IOException {
        zookeeper = new ZooKeeper(connectString, (int) timeout.toMillis(), event -> states.add(event.getState()));
        awaitConnected();
    }

    /** A client of one server of an ensemble, and of no other. */
    static RawClient of(ZooKeeperEnsemble ensemble, int server, Duration timeout) throws IOException {
        return new RawClient("127.0.0.1:" + ensemble.clientPort(server), timeout);
    }

    ZooKeeper zookeeper() {
        return zookeeper;
    }

    long sessionId() {
        return zookeeper.getSessionId();
    }

    /** Whether it has lost contact since it was made or told to forget. */
    boolean wasDisturbed() {
        return states.contains(KeeperState.Disconnected) || states.contains(KeeperState.Expired);
    }

    void forget() {
        states.clear();
    }

    void awaitConnected() {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> zookeeper.getState().isConnected());
    }

    void awaitState(KeeperState state) {
        await().until(() -> states.contains(state));
    }

    void create(String path, CreateMode mode) throws KeeperException, InterruptedException {
        zookeeper.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, mode);
    }

    boolean sees(String path) throws KeeperException, InterruptedException {
        return zookeeper.exists(path, false) != null;
    }

    @Override
    public void close() throws InterruptedException {
        zookeeper.close(2_000);
    }
}
