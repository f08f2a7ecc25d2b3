package io.baton.chaos.servers;

import io.baton.testkit.etcd.EtcdCluster;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Three members of etcd, of the newest version at hand. Their wall clocks are this machine's: etcd asks the kernel. */
public final class EtcdServers implements Servers {

    private final EtcdCluster cluster;

    private EtcdServers(EtcdCluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Starts them.
     *
     * @throws IllegalStateException if there is no etcd here; the message tells how to get one
     */
    public static EtcdServers start() {
        return new EtcdServers(EtcdCluster.start());
    }

    @Override
    public String what() {
        return "etcd " + cluster.version();
    }

    @Override
    public List<Integer> members() {
        return cluster.members();
    }

    @Override
    public int leader() {
        return cluster.leader();
    }

    @Override
    public InetSocketAddress address(int member) {
        return cluster.address(member);
    }

    @Override
    public String uri(List<InetSocketAddress> addresses) {
        return addresses.stream()
                .map(address -> "127.0.0.1:" + address.getPort())
                .collect(Collectors.joining(",", "etcd://", "/chaos"));
    }

    @Override
    public void kill(int member) {
        cluster.kill(member);
    }

    @Override
    public void restart(int member) {
        cluster.restart(member);
    }

    @Override
    public void freeze(int member) {
        cluster.freeze(member);
    }

    @Override
    public void wake(int member) {
        cluster.wake(member);
    }

    @Override
    public void cut(int one, int other) {
        cluster.cut(one, other);
    }

    @Override
    public void cutOneWay(int from, int to) {
        cluster.cutOneWay(from, to);
    }

    @Override
    public void heal() {
        cluster.heal();
    }

    @Override
    public boolean hasWallClocks() {
        return false;
    }

    @Override
    public void moveWallClock(int member, Duration off) {
        throw new UnsupportedOperationException("etcd asks the kernel for the time");
    }

    @Override
    public void close() {
        cluster.close();
    }
}
