package io.baton.benchmarks;

import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** ZooKeeper's own client. */
final class RawZooKeeper implements RawStore {

    private static final int TIMEOUT_MILLIS = 30_000;
    private static final String PATH = "/raw";
    private static final byte[] EMPTY = {};

    private final List<ZooKeeper> clients = new ArrayList<>();

    private RawZooKeeper() {}

    static RawZooKeeper connect(String servers) throws Exception {
        var raw = new RawZooKeeper();
        for (int i = 0; i < 2; i++) {
            raw.clients.add(ZooKeeperHandle.connect(servers, TIMEOUT_MILLIS));
        }
        return raw;
    }

    @Override
    public void create() throws Exception {
        clients.get(0).create(PATH, EMPTY, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
    }

    @Override
    public void delete() throws Exception {
        clients.get(0).delete(PATH, -1);
    }

    @Override
    public void watch(Runnable gone) throws Exception {
        ZooKeeper watcher = clients.get(1);
        // A server of an ensemble may not have the node yet.
        watcher.sync(PATH, (code, path, context) -> {}, null);
        watcher.getData(
                PATH,
                event -> {
                    if (event.getType() == EventType.NodeDeleted) {
                        gone.run();
                    }
                },
                new Stat());
    }

    @Override
    public void close() {
        for (ZooKeeper client : clients) {
            try {
                client.close();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
