package io.baton.zookeeper;

import io.baton.spi.Store;
import io.baton.spi.StoreProvider;
import java.net.URI;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;

/**
 * Serves {@code curator://host:port/chroot?tick=200ms} in these tests: a store on a client of Curator's, which an
 * application would have already.
 */
public final class CuratorTestProvider implements StoreProvider {

    static final int TIMEOUT_MILLIS = 5_000;

    private static final Queue<CuratorFramework> clients = new ConcurrentLinkedQueue<>();

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
        clients.add(client);
        return ZooKeeperStore.using(client)
                .chroot(address.root())
                .tick(address.tick())
                .build();
    }

    /** Closes the clients of all stores so far. */
    static void closeClients() {
        for (CuratorFramework client = clients.poll(); client != null; client = clients.poll()) {
            client.close();
        }
    }
}
