package io.baton.zookeeper;

import io.baton.spi.Store;
import io.baton.spi.StoreProvider;
import io.baton.zookeeper.wire.ZkAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;

/**
 * Serves {@code curator://host:port/chroot?tick=200ms} in these tests: a store on a client of Curator's, which an
 * application would have already.
 */
public final class CuratorTestProvider implements StoreProvider {

    static final int TIMEOUT_MILLIS = 5_000;

    /** By the chroots of their stores. */
    private static final Map<String, List<CuratorFramework>> clients = new ConcurrentHashMap<>();

    @Override
    public Set<String> schemes() {
        return Set.of("curator");
    }

    @Override
    public Store create(URI uri) {
        ZkAddress address = ZkAddress.parse(uri);
        CuratorFramework client =
                CuratorFrameworkFactory.newClient(address.hosts(), TIMEOUT_MILLIS, 3_000, new RetryOneTime(100));
        client.start();
        clients.computeIfAbsent(address.root(), root -> new CopyOnWriteArrayList<>())
                .add(client);
        return ZooKeeperStore.using(client)
                .chroot(address.root())
                .tick(address.tick())
                .build();
    }

    /** Closes the clients of all stores on this chroot so far. */
    static void closeClients(String chroot) {
        List<CuratorFramework> ended = clients.remove(chroot);
        if (ended != null) {
            ended.forEach(CuratorFramework::close);
        }
    }
}
