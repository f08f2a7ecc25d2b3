package io.baton.chaos.servers;

import io.baton.testkit.etcd.EtcdCluster;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Three members of etcd, of the newest version at hand. Their wall clocks are this machine's: etcd asks the kernel. */
public final class EtcdServers implements ServerCluster {

    private final EtcdCluster cluster;
    private final Optional<EtcdOperator> operator;

    private EtcdServers(EtcdCluster cluster, Optional<EtcdOperator> operator) {
        this.cluster = cluster;
        this.operator = operator;
    }

    /**
     * Starts them. Anybody may do anything, in the clear.
     *
     * @throws IllegalStateException if there is no etcd here; the message tells how to get one
     */
    public static EtcdServers start() {
        return new EtcdServers(EtcdCluster.start(), Optional.empty());
    }

    /**
     * Starts them, with users and certificates.
     *
     * @param locks what there are permissions for
     * @param folder where the clients' settings go
     * @throws IllegalStateException if there is no etcd here; the message tells how to get one
     */
    public static EtcdServers start(List<String> locks, Path folder) {
        CertificateFiles certificates = new CertificateFiles(folder);
        EtcdCluster cluster = EtcdCluster.builder()
                .authentication()
                .flag("--bcrypt-cost", "4")
                .secondPort(certificates.servers(), certificates.authority())
                .start();
        try {
            return new EtcdServers(cluster, Optional.of(new EtcdOperator(cluster, certificates, locks, folder)));
        } catch (RuntimeException broken) {
            cluster.close();
            throw broken;
        }
    }

    @Override
    public String what() {
        return "3 servers of etcd " + cluster.version();
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
        return uri("etcd", addresses)
                + operator.map(its -> "?config=" + its.settings(false)).orElse("");
    }

    @Override
    public Entrance entrance(int place) {
        return place % 2 == 1
                ? new Entrance(false, this::address, this::uri)
                : new Entrance(
                        true,
                        cluster::secureAddress,
                        addresses -> uri("etcds", addresses) + "?config="
                                + operator().settings(true));
    }

    @Override
    public void permit(String lock, Permission permission) {
        operator().permit(lock, permission);
    }

    @Override
    public void useUpSpace(boolean up) {
        operator().useUpSpace(up);
    }

    @Override
    public void renewCertificates(Duration lasts) {
        operator().certificates().renew(lasts);
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

    private static String uri(String scheme, List<InetSocketAddress> addresses) {
        return addresses.stream()
                .map(address -> "127.0.0.1:" + address.getPort())
                .collect(Collectors.joining(",", scheme + "://", EtcdOperator.ROOT));
    }

    private EtcdOperator operator() {
        return operator.orElseThrow(() -> new UnsupportedOperationException("there are no users here"));
    }
}
