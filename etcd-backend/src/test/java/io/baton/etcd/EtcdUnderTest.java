package io.baton.etcd;

import io.baton.spi.Peer;
import io.baton.tck.Cuts;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.etcd.EtcdExtension;
import io.baton.testkit.etcd.EtcdFraming;
import io.baton.testkit.etcd.LocalEtcd;
import io.baton.testkit.proxy.TcpProxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A real etcd behind a proxy, one root per test. */
final class EtcdUnderTest implements StoreUnderTest {

    private static final AtomicInteger tests = new AtomicInteger();

    private final LocalEtcd server;
    private final String root;
    private final TcpProxy proxy;

    EtcdUnderTest(EtcdExtension etcd) {
        server = etcd.server();
        root = "/tck-" + tests.incrementAndGet();
        proxy = TcpProxy.to(server.address(), new EtcdFraming());
    }

    @Override
    public String uri() {
        return server.uri(proxy, root);
    }

    @Override
    public Optional<String> steadyUri() {
        return Optional.of(server.uri(root));
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
        return Optional.of(new EtcdCuts(proxy));
    }

    @Override
    public void removeEntry(Peer peer) {
        // Somebody may be faster; it is gone either way.
        boolean ignored = server.delete(root + "/" + peer.line().path() + "/" + peer.name());
    }

    @Override
    public void close() {
        proxy.close();
    }
}
