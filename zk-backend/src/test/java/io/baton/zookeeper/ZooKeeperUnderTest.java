package io.baton.zookeeper;

import io.baton.spi.Peer;
import io.baton.tck.Cuts;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import io.baton.testkit.zookeeper.ZooKeeperFraming;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/** A real ZooKeeper behind a proxy, one chroot per test. */
final class ZooKeeperUnderTest implements StoreUnderTest {

    private static final AtomicInteger tests = new AtomicInteger();

    private final String scheme;
    private final LocalZooKeeper server;
    private final String chroot;
    private final TcpProxy proxy;

    /** Reached by the URIs of this scheme. */
    ZooKeeperUnderTest(ZooKeeperExtension zookeeper, String scheme) {
        this.scheme = scheme;
        server = zookeeper.server();
        chroot = "/tck-" + tests.incrementAndGet();
        proxy = TcpProxy.to(server.address(), new ZooKeeperFraming());
    }

    /** Names the server twice: where it knows of one server only, the client library waits a second before it returns. */
    @Override
    public String uri() {
        String hostAndPort = "127.0.0.1:" + proxy.port();
        return scheme(server.uri(proxy, chroot)).replace(hostAndPort, hostAndPort + "," + hostAndPort);
    }

    @Override
    public Optional<String> steadyUri() {
        return Optional.of(scheme(server.uri(chroot)));
    }

    @Override
    public Duration ttl() {
        return Duration.ofSeconds(5);
    }

    @Override
    public void expire(String sessionId) {
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
    public Optional<Cuts> cuts() {
        return Optional.of(new ZooKeeperCuts(proxy));
    }

    @Override
    public void removeEntry(Peer peer) throws Exception {
        var connected = new CountDownLatch(1);
        ZooKeeper operator = new ZooKeeper(server.connectString(), 10_000, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        try {
            connected.await();
            operator.delete(chroot + "/" + peer.line().path() + "/" + peer.name(), -1);
        } catch (KeeperException.NoNodeException gone) {
            // Somebody was faster; it is gone either way.
        } finally {
            operator.close();
        }
    }

    @Override
    public void close() {
        CuratorTestProvider.closeClients(chroot);
        proxy.close();
    }

    private String scheme(String uri) {
        return uri.replaceFirst("^zk:", scheme + ":");
    }
}
