package io.baton.benchmarks;

import io.baton.testkit.proxy.TcpProxy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The network between clients and servers: a proxy before each server, if a round trip is to take time. */
final class SlowNetwork implements AutoCloseable {

    private final List<TcpProxy> proxies;
    private final String servers;

    SlowNetwork(Server server, Duration roundTrip) {
        proxies = roundTrip.isZero()
                ? List.of()
                : server.addresses().stream().map(TcpProxy::to).toList();
        proxies.forEach(proxy -> proxy.delay(roundTrip.dividedBy(2)));
        Stream<InetSocketAddress> addresses = proxies.isEmpty()
                ? server.addresses().stream()
                : proxies.stream().map(TcpProxy::address);
        servers = addresses.map(address -> "127.0.0.1:" + address.getPort()).collect(Collectors.joining(","));
    }

    /** Where clients connect, as in the stores' URIs. */
    String servers() {
        return servers;
    }

    @Override
    public void close() {
        proxies.forEach(TcpProxy::close);
    }
}
