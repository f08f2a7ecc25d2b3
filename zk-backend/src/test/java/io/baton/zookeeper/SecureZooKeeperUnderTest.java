package io.baton.zookeeper;

import io.baton.spi.Peer;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.zookeeper.SecureZooKeeper;
import io.baton.zookeeper.wire.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/** A real ZooKeeper with TLS and credentials behind a proxy, one chroot per test. */
final class SecureZooKeeperUnderTest implements StoreUnderTest {

    private static final AtomicInteger tests = new AtomicInteger();

    private final SecureZooKeeper server;
    private final Path config;
    private final String chroot;
    private final TcpProxy proxy;

    SecureZooKeeperUnderTest(SecureZooKeeperExtension zookeeper) {
        server = zookeeper.server();
        config = zookeeper.settings();
        chroot = "tck-" + tests.incrementAndGet();
        proxy = TcpProxy.to(server.address());
    }

    @Override
    public String uri() {
        return server.uri(proxy, chroot) + "&config=" + config;
    }

    @Override
    public Optional<String> steadyUri() {
        return Optional.of(server.uri(chroot) + "&config=" + config);
    }

    @Override
    public Duration ttl() {
        return Duration.ofSeconds(5);
    }

    @Override
    public void expire(String sessionId) throws Exception {
        server.expire(Long.parseUnsignedLong(sessionId.substring(2), 16));
    }

    @Override
    public void breakContact() {
        proxy.refuse();
        proxy.cut();
    }

    @Override
    public void restoreContact() {
        proxy.accept();
    }

    @Override
    public void removeEntry(Peer peer) throws Exception {
        Settings settings = Settings.read(true, Optional.of(config), Map.of());
        var connected = new CountDownLatch(1);
        String hosts = "127.0.0.1:" + server.address().getPort();
        ZooKeeper operator = new ZooKeeper(
                hosts,
                10_000,
                event -> {
                    if (event.getState() == KeeperState.SyncConnected) {
                        connected.countDown();
                    }
                },
                settings.client());
        operator.addAuthInfo("digest", settings.digest().orElseThrow().bytes());
        try {
            connected.await();
            operator.delete("/" + chroot + "/" + peer.line() + "/" + peer.name(), -1);
        } catch (KeeperException.NoNodeException gone) {
            // Somebody was faster; it is gone either way.
        } finally {
            operator.close();
        }
    }

    @Override
    public void close() {
        proxy.close();
    }
}
