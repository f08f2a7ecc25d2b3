package io.baton.testkit.zookeeper;

import io.baton.testkit.server.AtExit;
import io.baton.testkit.server.Directories;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * An ensemble of real ZooKeeper servers, each in its own process. Servers can be killed and frozen, and the network can
 * be partitioned.
 *
 * <pre>{@code
 * try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start()) {
 *     int follower = ensemble.followers().get(0);
 *     // ... a client of ensemble.uriOf(follower) ...
 *     ensemble.isolate(follower); // it serves reads for as long as its syncLimit, and knows nothing new
 *     ensemble.heal();
 * }
 * }</pre>
 *
 * <p>Servers are numbered from 1. All traffic between servers, for the quorum and for elections, runs through proxies
 * in this JVM. A cut link holds bytes and closes nothing; the bytes arrive once the link is healed. Clients connect to
 * the servers directly. To disturb those connections, put a {@link io.baton.testkit.proxy.TcpProxy} before
 * {@link #clientPort}.
 *
 * <p><b>Guarantees.</b> {@link #close()} leaves no process, thread, port or directory behind. The processes end with
 * this JVM, even if it is killed, and even those that are frozen.
 *
 * <p><b>Needs</b> a system where every address that starts with 127 is this host, and a POSIX shell to freeze: Linux.
 *
 * <p><b>Threads.</b> Any thread may call any method. Calls that change the same server or link should not overlap.
 */
public final class ZooKeeperEnsemble implements AutoCloseable {

    private final Duration tick;
    private final Path home;
    private final EnsembleNetwork network;
    private final Map<Integer, EnsembleServer> servers = new TreeMap<>();
    private final EnsembleWatch watch = new EnsembleWatch(servers.values());
    private final AtExit atExit = new AtExit("zookeeper-ensemble", this::end);

    private ZooKeeperEnsemble(Builder builder) {
        tick = builder.tickTime;
        network = new EnsembleNetwork(builder.servers);
        home = Directories.temporary("zookeeper");
        for (int id = 1; id <= builder.servers; id++) {
            Map<String, String> environment = builder.environment.apply(id);
            servers.put(
                    id,
                    new EnsembleServer(
                            id, home.resolve("zk" + id), builder.settings(), builder.secure, environment, network));
        }
    }

    /** Starts three servers with a tick of 200 ms. */
    public static ZooKeeperEnsemble start() throws InterruptedException {
        return builder().start();
    }

    /** Returns a builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** The numbers of the servers, running or not: 1 and so on. */
    public List<Integer> servers() {
        return List.copyOf(servers.keySet());
    }

    /** The address of all servers for {@code Coordinator.connect}, without a chroot. */
    public String uri() {
        return uri("");
    }

    /** The address of all servers for {@code Coordinator.connect}; this method does not create the chroot. */
    public String uri(String chroot) {
        return ZkUri.of(connectString(), chroot, tick);
    }

    /** The address of one server. A client with this address connects to no other server. */
    public String uriOf(int server) {
        return uriOf(server, "");
    }

    /** The address of one server, with a chroot. */
    public String uriOf(int server, String chroot) {
        return ZkUri.of("127.0.0.1:" + clientPort(server), chroot, tick);
    }

    /** The address of all servers for other ZooKeeper clients. */
    public String connectString() {
        return servers().stream().map(id -> "127.0.0.1:" + clientPort(id)).collect(Collectors.joining(","));
    }

    /** The port of one server for clients. */
    public int clientPort(int server) {
        server(server);
        return network.clientPort(server);
    }

    /** The port of one server for clients that use TLS, if {@link Builder#secondPort} was set. */
    public int securePort(int server) {
        return server(server).securePort();
    }

    /**
     * The id of one server's process.
     *
     * @throws IllegalStateException if it does not run
     */
    public long pid(int server) {
        return server(server).pid();
    }

    /** The servers' tick. A session lasts at least two ticks. */
    public Duration tickTime() {
        return tick;
    }

    /**
     * Waits for a leader and returns it. A leader that was cut off may still report itself as leader. If two servers
     * do, this is the one with the later epoch.
     *
     * @throws IllegalStateException if there is no leader within a minute
     */
    public int leader() throws InterruptedException {
        int[] found = new int[1];
        watch.await("a leader", () -> {
            found[0] = watch.leader().orElse(0);
            return found[0] != 0;
        });
        return found[0];
    }

    /**
     * The number of packets that clients have sent to one server since its start: requests, connects and pings.
     *
     * @throws IllegalStateException if it does not answer within a minute
     */
    public long received(int server) throws InterruptedException {
        int port = clientPort(server);
        long[] found = new long[1];
        watch.await("server " + server + " to answer", () -> {
            Optional<ServerStatus> status = ServerStatus.ask(port);
            status.ifPresent(known -> found[0] = known.received());
            return status.isPresent();
        });
        return found[0];
    }

    /** The servers that report themselves as followers now. */
    public List<Integer> followers() {
        return watch.statuses().entrySet().stream()
                .filter(entry -> entry.getValue().follows())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Blocks all traffic between two servers, in both directions. */
    public void cut(int one, int other) {
        checkLink(one, other);
        network.cut(one, other);
    }

    /** Blocks traffic from one server to another; the opposite direction stays open. */
    public void cutOneWay(int from, int to) {
        checkLink(from, to);
        network.cutOneWay(from, to);
    }

    /** Cuts one server off from all others; clients still reach it. */
    public void isolate(int server) {
        for (int other : servers()) {
            if (other != server) {
                cut(server, other);
            }
        }
    }

    /**
     * Ends all cuts, and waits until every running server serves.
     *
     * @throws IllegalStateException if they do not serve within a minute
     */
    public void heal() throws InterruptedException {
        for (int one : servers()) {
            for (int other : servers()) {
                if (one < other) {
                    network.mend(one, other);
                }
            }
        }
        awaitServing();
    }

    /** Kills a server ({@code SIGKILL}); its data stays. */
    public void kill(int server) throws InterruptedException {
        server(server).kill();
    }

    /**
     * Starts a server that was killed, on the same ports and data. Does not wait until it serves; see
     * {@link #awaitServing}.
     */
    public void restart(int server) {
        server(server).start();
    }

    /** Stops a server's process where it is ({@code SIGSTOP}); its connections stay open. */
    public void freeze(int server) {
        server(server).freeze();
    }

    /** Resumes a frozen server ({@code SIGCONT}). */
    public void thaw(int server) throws InterruptedException {
        server(server).thaw();
    }

    /**
     * Waits until one server leads, all others that run follow it, and each of them serves clients. This does not wait
     * for servers that are killed or frozen, but it does for those that are cut off.
     *
     * @throws IllegalStateException if they do not serve within a minute
     */
    public void awaitServing() throws InterruptedException {
        watch.await("every server to serve", watch::allServe);
    }

    /** Kills every server and deletes all data. Idempotent. */
    @Override
    public void close() {
        end();
        atExit.remove();
    }

    @Override
    public String toString() {
        return "ZooKeeperEnsemble[" + connectString() + "]";
    }

    private void launch() throws InterruptedException {
        atExit.add();
        servers.values().forEach(EnsembleServer::start);
        awaitServing();
    }

    private void checkLink(int one, int other) {
        server(one);
        server(other);
        if (one == other) {
            throw new IllegalArgumentException("server " + one + " cannot be cut off from itself");
        }
    }

    private EnsembleServer server(int id) {
        EnsembleServer server = servers.get(id);
        if (server == null) {
            throw new IllegalArgumentException("there is no server " + id + ", only " + servers());
        }
        return server;
    }

    private void end() {
        servers.values().forEach(EnsembleServer::kill);
        network.close();
        Directories.delete(home);
    }

    /** Configures an ensemble; {@link #start} starts it. */
    public static final class Builder {

        private static final int MOST = 9;

        private int servers = 3;
        private Duration tickTime = Duration.ofMillis(200);
        private Duration maxSessionTimeout = Duration.ofMinutes(1);
        private int initLimit = 25;
        private int syncLimit = 10;
        private IntFunction<Map<String, String>> environment = server -> Map.of();
        private final List<String> more = new ArrayList<>();
        private boolean secure;

        private Builder() {}

        /** The number of servers. Default 3. */
        public Builder servers(int value) {
            servers = between("servers", 2, value, MOST);
            return this;
        }

        /** ZooKeeper's unit of time. A session lasts at least two ticks, and expires on a tick. Default 200 ms. */
        public Builder tickTime(Duration value) {
            tickTime = Duration.ofMillis(between("tickTime", 10, (int) value.toMillis(), 60_000));
            return this;
        }

        /** The longest timeout granted to a session; real servers grant 20 ticks. Default 1 min. */
        public Builder maxSessionTimeout(Duration value) {
            maxSessionTimeout =
                    Duration.ofMillis(between("maxSessionTimeout", 1, (int) value.toMillis(), Integer.MAX_VALUE));
            return this;
        }

        /** How many ticks a follower may take to connect to its leader and to catch up. Default 25. */
        public Builder initLimit(int ticks) {
            initLimit = between("initLimit", 1, ticks, 10_000);
            return this;
        }

        /**
         * How many ticks a follower and its leader may lose contact before each disconnects from the other. A follower
         * that is cut off serves reads, and keeps its clients' connections, for that long. Default 10.
         */
        public Builder syncLimit(int ticks) {
            syncLimit = between("syncLimit", 1, ticks, 10_000);
            return this;
        }

        /** Adds variables to the environment of each server's process, such as its own clock. Default none. */
        public Builder environment(IntFunction<Map<String, String>> ofServer) {
            environment = ofServer;
            return this;
        }

        /** Adds a line to the configuration of each server. */
        public Builder setting(String name, String value) {
            more.add(name + "=" + value);
            return this;
        }

        /**
         * The servers listen on a second port for clients that use TLS and present a certificate. They read the files
         * anew for each connection.
         *
         * @param own the servers' certificate and its key, a file that ends with {@code .pem}
         * @param authorities the certificates that sign the clients' certificates, a file that ends with {@code .pem}
         */
        public Builder secondPort(Path own, Path authorities) {
            secure = true;
            return setting("serverCnxnFactory", "org.apache.zookeeper.server.NettyServerCnxnFactory")
                    .setting("ssl.keyStore.location", own.toString())
                    .setting("ssl.trustStore.location", authorities.toString());
        }

        /**
         * Starts the servers; every server serves when this returns.
         *
         * @throws IllegalStateException if they do not serve within a minute; the message holds their output
         */
        public ZooKeeperEnsemble start() throws InterruptedException {
            ZooKeeperEnsemble ensemble = new ZooKeeperEnsemble(this);
            try {
                ensemble.launch();
                return ensemble;
            } catch (InterruptedException | RuntimeException broken) {
                ensemble.close();
                throw broken;
            }
        }

        private List<String> settings() {
            List<String> lines = new ArrayList<>(List.of(
                    "tickTime=" + tickTime.toMillis(),
                    "initLimit=" + initLimit,
                    "syncLimit=" + syncLimit,
                    "maxSessionTimeout=" + maxSessionTimeout.toMillis(),
                    "maxClientCnxns=0",
                    "standaloneEnabled=false",
                    "reconfigEnabled=false",
                    "4lw.commands.whitelist=srvr"));
            lines.addAll(more);
            return lines;
        }

        private static int between(String name, int least, int value, int most) {
            if (value < least || value > most) {
                throw new IllegalArgumentException(name + " must be " + least + " to " + most + ", not " + value);
            }
            return value;
        }
    }
}
