package io.baton.testkit.etcd;

import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.proxy.TcpProxy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The network between the members of a cluster: a proxy for each ordered pair of members, and a door before each. */
final class EtcdNetwork implements AutoCloseable {

    private record Way(int from, int to) {}

    private final Map<Integer, EtcdPorts> ports;
    private final Map<Way, TcpProxy> ways = new HashMap<>();
    private final List<EtcdDoor> doors = new ArrayList<>();

    /**
     * Opens the network.
     *
     * @param pids the members by their process ids; called for each connection
     */
    EtcdNetwork(int members, Supplier<Map<Long, Integer>> pids) {
        this(free(members), pids);
    }

    /** Opens the network on these ports. If that fails, nothing is left open. */
    EtcdNetwork(Map<Integer, EtcdPorts> ports, Supplier<Map<Long, Integer>> pids) {
        this.ports = ports;
        try {
            open(pids);
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    private static Map<Integer, EtcdPorts> free(int members) {
        Map<Integer, EtcdPorts> ports = new TreeMap<>();
        for (int member = 1; member <= members; member++) {
            ports.put(member, EtcdPorts.behindADoor());
        }
        return ports;
    }

    private void open(Supplier<Map<Long, Integer>> pids) {
        ports.forEach((to, its) -> {
            for (int from : ports.keySet()) {
                if (from != to) {
                    ways.put(new Way(from, to), TcpProxy.to(Loopback.at(its.peers())));
                }
            }
            doors.add(new EtcdDoor(its.advertised(), port -> way(port, to, its.advertised(), pids.get())));
        });
    }

    EtcdPorts ports(int member) {
        return Optional.ofNullable(ports.get(member)).orElseThrow();
    }

    /** The name and address of each member. */
    String members() {
        return ports.entrySet().stream()
                .map(entry -> name(entry.getKey()) + "=" + entry.getValue().peerUrl())
                .collect(Collectors.joining(","));
    }

    static String name(int member) {
        return "etcd" + member;
    }

    /** Blocks all traffic between these two, in both directions. */
    void cut(int one, int other) {
        between(one, other).forEach(TcpProxy::hold);
    }

    /** Blocks traffic from one member to the other. */
    void cutOneWay(int from, int to) {
        way(from, to).hold(Direction.TO_SERVER);
        way(to, from).hold(Direction.TO_CLIENT);
    }

    /** Ends the cuts between these two. */
    void mend(int one, int other) {
        between(one, other).forEach(TcpProxy::release);
    }

    @Override
    public void close() {
        doors.forEach(EtcdDoor::close);
        ways.values().forEach(TcpProxy::close);
    }

    private List<TcpProxy> between(int one, int other) {
        return List.of(way(one, other), way(other, one));
    }

    private TcpProxy way(int from, int to) {
        return Optional.ofNullable(ways.get(new Way(from, to))).orElseThrow();
    }

    private Optional<TcpProxy> way(int port, int to, int door, Map<Long, Integer> members) {
        try {
            return SocketOwner.of(port, door, members.keySet())
                    .map(members::get)
                    .map(from -> ways.get(new Way(from, to)));
        } catch (IOException notLinux) {
            throw new IllegalStateException("a cluster needs Linux, to see who connects to whom", notLinux);
        }
    }
}
