package io.baton.testkit.zookeeper;

import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.proxy.TcpProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The network between the servers of an ensemble: a proxy for each ordered pair of servers and each of their two ports,
 * quorum and election.
 *
 * <p>Servers address each other by name, {@code zk1} and so on. Each server resolves the names by its own hosts file,
 * in which the names of the others lead to its own proxies. So all servers share one configuration, and a name that one
 * server sends to another leads through the right proxy. Server {@code i}'s proxies for {@code j} listen on
 * {@code 127.1.i.j}, on {@code j}'s own ports.
 */
final class EnsembleNetwork implements AutoCloseable {

    /**
     * A follower may connect before its leader listens. When refused, it retries for half a second. A proxy cannot
     * refuse it, and a reset would make it start a new election.
     */
    private static final Duration LEADER_MAY_BE_LATE = Duration.ofMillis(500);

    private record Way(int from, int to) {}

    private final int servers;
    private final Map<Integer, Integer> quorumPorts = new HashMap<>();
    private final Map<Integer, Integer> electionPorts = new HashMap<>();
    private final Map<Integer, Integer> clientPorts = new HashMap<>();
    private final Map<Way, List<TcpProxy>> ways = new HashMap<>();

    EnsembleNetwork(int servers) {
        this.servers = servers;
        for (int server = 1; server <= servers; server++) {
            quorumPorts.put(server, Loopback.freePort());
            electionPorts.put(server, Loopback.freePort());
            clientPorts.put(server, Loopback.freePort());
        }
        try {
            for (int from = 1; from <= servers; from++) {
                for (int to = 1; to <= servers; to++) {
                    if (from != to) {
                        ways.put(new Way(from, to), proxies(from, to));
                    }
                }
            }
        } catch (UncheckedIOException refused) {
            close();
            throw new UncheckedIOException(
                    "an ensemble needs addresses such as 127.1.1.2 to be this host (as on Linux)", refused.getCause());
        }
    }

    int clientPort(int server) {
        return clientPorts.getOrDefault(server, 0);
    }

    /** The configuration lines that name the servers; the same for all. */
    List<String> members() {
        List<String> lines = new ArrayList<>();
        for (int server = 1; server <= servers; server++) {
            lines.add("server." + server + "=" + name(server) + ":" + quorumPorts.get(server) + ":"
                    + electionPorts.get(server) + ";127.0.0.1:" + clientPort(server));
        }
        return lines;
    }

    /** Writes the hosts file of this server. */
    void writeHosts(int server, Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("127.0.0.1 localhost");
        for (int other = 1; other <= servers; other++) {
            InetSocketAddress seen = other == server ? Loopback.at(0) : viewed(server, other, 0);
            lines.add(seen.getAddress().getHostAddress() + " " + name(other));
        }
        Files.write(file, lines);
    }

    /** Blocks all traffic between these two, in both directions. */
    void cut(int one, int other) {
        between(one, other).forEach(TcpProxy::hold);
    }

    /** Blocks traffic from one server to the other. */
    void cutOneWay(int from, int to) {
        ways.getOrDefault(new Way(from, to), List.of()).forEach(proxy -> proxy.hold(Direction.TO_SERVER));
        ways.getOrDefault(new Way(to, from), List.of()).forEach(proxy -> proxy.hold(Direction.TO_CLIENT));
    }

    /** Ends the cuts between these two. */
    void mend(int one, int other) {
        between(one, other).forEach(TcpProxy::release);
    }

    @Override
    public void close() {
        ways.values().forEach(proxies -> proxies.forEach(TcpProxy::close));
    }

    private List<TcpProxy> between(int one, int other) {
        List<TcpProxy> both = new ArrayList<>(ways.getOrDefault(new Way(one, other), List.of()));
        both.addAll(ways.getOrDefault(new Way(other, one), List.of()));
        return both;
    }

    private List<TcpProxy> proxies(int from, int to) {
        TcpProxy quorum = proxy(from, to, quorumPorts);
        quorum.patience(LEADER_MAY_BE_LATE);
        try {
            return List.of(quorum, proxy(from, to, electionPorts));
        } catch (UncheckedIOException refused) {
            quorum.close();
            throw refused;
        }
    }

    private static TcpProxy proxy(int from, int to, Map<Integer, Integer> ports) {
        int port = ports.getOrDefault(to, 0);
        return TcpProxy.between(viewed(from, to, port), Loopback.at(port));
    }

    private static String name(int server) {
        return "zk" + server;
    }

    private static InetSocketAddress viewed(int from, int to, int port) {
        return Loopback.at(1, from, to, port);
    }
}
