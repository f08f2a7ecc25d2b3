package io.baton.benchmarks;

import io.baton.testkit.etcd.EtcdCluster;
import io.baton.testkit.etcd.LocalEtcd;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import io.baton.testkit.zookeeper.ZooKeeperEnsemble;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.zookeeper.Version;

/**
 * The program of the servers' process. It prints the servers' version, the number of the process that serves and the
 * ports. For each line that it reads, it prints the number of requests so far.
 */
final class ServerMain {

    private static final Duration TICK = Duration.ofSeconds(2);
    private static final Duration HEARTBEAT = Duration.ofMillis(100);
    private static final Duration ELECTION = Duration.ofSeconds(1);

    private ServerMain() {}

    /** Serves until standard input ends; the arguments are those of {@link Server#start(String, int, boolean)}. */
    public static void main(String[] args) throws Exception {
        boolean etcd = args[0].equals(Field.ETCD.scheme());
        int servers = Integer.parseInt(args[1]);
        boolean forced = Boolean.parseBoolean(args[2]);
        if (servers > 1) {
            if (etcd) {
                cluster(servers, forced);
            } else {
                ensemble(servers, forced);
            }
        } else if (etcd) {
            etcd(forced);
        } else {
            zooKeeper(forced);
        }
    }

    private static void zooKeeper(boolean forced) throws Exception {
        System.setProperty("zookeeper.forceSync", forced ? "yes" : "no");
        try (LocalZooKeeper server = LocalZooKeeper.builder().tickTime(TICK).start()) {
            serve(
                    "ZooKeeper " + Version.getVersion(),
                    ownPid(),
                    IntStream.of(server.port()),
                    () -> without("ping", server.requests()));
        }
    }

    private static void ensemble(int servers, boolean forced) throws Exception {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.builder()
                .servers(servers)
                .tickTime(TICK)
                .setting("forceSync", forced ? "yes" : "no")
                .start()) {
            IntStream members = ensemble.servers().stream().mapToInt(Integer::intValue);
            serve(
                    servers + " servers of ZooKeeper " + Version.getVersion(),
                    ownPid(),
                    members.map(ensemble::clientPort),
                    () -> received(ensemble));
        }
    }

    private static long received(ZooKeeperEnsemble ensemble) throws InterruptedException {
        long received = 0;
        for (int server : ensemble.servers()) {
            received += ensemble.received(server);
        }
        return received;
    }

    private static void etcd(boolean forced) throws Exception {
        try (LocalEtcd etcd = LocalEtcd.builder().flag(syncFlag(forced)).start()) {
            serve(
                    "etcd " + etcd.version(),
                    etcd.pid(),
                    IntStream.of(etcd.port()),
                    () -> withoutHeartbeats(etcd.requests()));
        }
    }

    private static void cluster(int servers, boolean forced) throws Exception {
        try (EtcdCluster cluster = EtcdCluster.builder()
                .members(servers)
                .pace(HEARTBEAT, ELECTION)
                .flag(syncFlag(forced))
                .start()) {
            IntStream members = cluster.members().stream().mapToInt(Integer::intValue);
            IntStream ports = members.map(member -> cluster.address(member).getPort());
            serve(
                    servers + " servers of etcd " + cluster.version(),
                    ownPid(),
                    ports,
                    () -> cluster.members().stream()
                            .mapToLong(member -> withoutHeartbeats(cluster.requests(member)))
                            .sum());
        }
    }

    /** Replaces the same flag of the test kit. */
    private static String syncFlag(boolean forced) {
        return "--unsafe-no-fsync=" + !forced;
    }

    private static void serve(String what, long pid, IntStream ports, Callable<Long> requests) throws Exception {
        System.out.println(what);
        System.out.println(pid);
        System.out.println(ports.mapToObj(Integer::toString).collect(Collectors.joining(" ")));
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (lines.readLine() != null) {
            System.out.println(requests.call());
        }
    }

    private static long ownPid() {
        return ProcessHandle.current().pid();
    }

    private static long withoutHeartbeats(Map<String, Long> requests) {
        return without("Lease/LeaseKeepAlive", requests);
    }

    private static long without(String kind, Map<String, Long> requests) {
        return requests.entrySet().stream()
                .filter(each -> !each.getKey().equals(kind))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }
}
