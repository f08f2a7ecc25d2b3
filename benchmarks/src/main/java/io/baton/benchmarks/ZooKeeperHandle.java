package io.baton.benchmarks;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/** Handles of ZooKeeper's own client. */
public final class ZooKeeperHandle {

    private ZooKeeperHandle() {}

    /**
     * Connects, and waits until that is done.
     *
     * @param timeoutMillis the session timeout, and the longest wait
     * @throws IllegalStateException if the servers cannot be reached
     */
    public static ZooKeeper connect(String servers, int timeoutMillis) throws Exception {
        var connected = new CountDownLatch(1);
        var client = new ZooKeeper(servers, timeoutMillis, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        if (!connected.await(timeoutMillis, TimeUnit.MILLISECONDS)) {
            client.close();
            throw new IllegalStateException("ZooKeeper's client does not reach " + servers);
        }
        return client;
    }
}
