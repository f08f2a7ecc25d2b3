package io.baton.testkit.etcd;

import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.server.AtExit;
import io.baton.testkit.server.Certificates;
import io.baton.testkit.server.Directories;
import io.baton.testkit.server.ServerAwait;
import io.baton.testkit.server.ServerProgram;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A cluster of real etcd servers, each in its own process. Members can be killed and frozen, and the network can be
 * partitioned.
 *
 * <pre>{@code
 * try (EtcdCluster cluster = EtcdCluster.start()) {
 *     int leader = cluster.leader();
 *     cluster.isolate(leader); // it takes itself for the leader a while longer; the others elect another
 *     ...
 *     cluster.heal();
 * }
 * }</pre>
 *
 * <p>Members are numbered from 1. All traffic between members runs through proxies in this JVM. A cut link holds bytes
 * and closes nothing; the bytes arrive once the link is healed. Clients connect to the members directly. To disturb
 * those connections, put a {@link TcpProxy} before {@link #address}.
 *
 * <p><b>Guarantees.</b> {@link #close()} leaves no process, thread, port or directory behind. The processes end with
 * this JVM, even if it is killed, and even those that are frozen.
 *
 * <p><b>Needs</b> {@link EtcdBinaries}, and Linux to find the process of a connection.
 *
 * <p><b>Threads.</b> Any thread may call any method. Calls that change the same member or link should not overlap.
 */
public final class EtcdCluster implements AutoCloseable {

    private final EtcdBinaries binaries;
    private final EtcdAccess access;
    private final Path home;
    private final EtcdNetwork network;
    private final Map<Integer, ServerProgram> processes = new TreeMap<>();
    private final AtExit atExit = new AtExit("etcd-cluster", this::end);

    private EtcdCluster(int members, EtcdSettings settings, EtcdAccess access, Path home) {
        this.binaries = settings.binaries();
        this.access = access;
        this.home = home;
        network = new EtcdNetwork(members, this::pids);
        for (int member = 1; member <= members; member++) {
            String name = EtcdNetwork.name(member);
            List<String> command =
                    settings.command(name, network.members(), home.resolve(name), network.ports(member), access);
            processes.put(member, new ServerProgram(name, command, home.resolve(name + ".log")));
        }
    }

    /** Starts three members of the newest version found. */
    public static EtcdCluster start() {
        return builder().start();
    }

    /** Returns a builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** The numbers of the members, running or not: 1 and so on. */
    public List<Integer> members() {
        return List.copyOf(processes.keySet());
    }

    /** The version of the members. */
    public EtcdVersion version() {
        return binaries.version();
    }

    /** The address of all members for {@code Coordinator.connect}, with the path below which the client works. */
    public String uri(String root) {
        return uri(members(), root);
    }

    /** The address of these members, in this order. A client with this address connects to no other member. */
    public String uri(List<Integer> members, String root) {
        return EtcdUri.of(access.batonScheme(), hosts(members), root);
    }

    /** The address of one member. A client with this address connects to no other member. */
    public String uriOf(int member, String root) {
        return uri(List.of(member), root);
    }

    /** Where a member listens for clients; the same after a restart. */
    public InetSocketAddress address(int member) {
        process(member);
        return Loopback.at(network.ports(member).clients());
    }

    /** Where a member listens for clients that use TLS, if {@link Builder#secondPort} was set. */
    public InetSocketAddress secureAddress(int member) {
        process(member);
        return Loopback.at(network.ports(member).secure());
    }

    /** The address of one member for other etcd clients. */
    public String endpoint(int member) {
        return access.scheme() + "://" + EtcdPorts.hostAndPort(address(member).getPort());
    }

    /** etcd's own client for all members. With authentication, it acts as root. */
    public Etcdctl ctl() {
        return new Etcdctl(binaries, members().stream().map(this::endpoint).collect(Collectors.joining(",")), access);
    }

    /** etcd's own client for one member. With authentication, it acts as root. */
    public Etcdctl ctl(int member) {
        return ctl(member, access);
    }

    /** With authentication, adds a user who may read and write the keys with this prefix. */
    public void addUser(String user, String password, String prefix) {
        EtcdUsers.add(ctl(), user, password, prefix);
    }

    /**
     * The keys and certificates; empty without TLS. {@code server} is the members' own, and they trust {@code client}.
     */
    public Optional<Certificates> certificates() {
        return access.certificates();
    }

    /** As {@link LocalEtcd#requests()}, for one member. */
    public SortedMap<String, Long> requests(int member) {
        return new EtcdMetrics(network.ports(member).metrics()).requests();
    }

    /** The number of watches that clients have open on one member. */
    public long watches(int member) {
        return new EtcdMetrics(network.ports(member).metrics()).watches();
    }

    /**
     * Waits for a leader and returns it. A leader that was cut off may still report itself as leader. If two members
     * do, this is the one with the later term.
     *
     * @throws IllegalStateException if there is no leader within a minute
     */
    public int leader() {
        int[] found = new int[1];
        await("a leader", () -> {
            found[0] = statuses(access).entrySet().stream()
                    .filter(entry -> entry.getValue().leads())
                    .max(Map.Entry.comparingByValue(Comparator.comparingLong(EtcdStatus::term)))
                    .map(Map.Entry::getKey)
                    .orElse(0);
            return found[0] != 0;
        });
        return found[0];
    }

    /** All members but the leader. */
    public List<Integer> followers() {
        int leader = leader();
        return members().stream().filter(member -> member != leader).toList();
    }

    /**
     * Transfers leadership to this member, which must be connected to the leader.
     *
     * @throws IllegalStateException if it does not lead within a minute
     */
    public void moveLeader(int member) {
        int leader = leader();
        if (leader != member) {
            long id = EtcdStatus.ask(ctl(member)).orElseThrow().member();
            ctl(leader).run("move-leader", Long.toHexString(id));
            await("member " + member + " to lead", () -> leader() == member);
        }
    }

    /** Whether a member reports itself as leader, rightly or not. */
    public boolean leads(int member) {
        return EtcdStatus.ask(ctl(member)).filter(EtcdStatus::leads).isPresent();
    }

    /** Blocks all traffic between two members, in both directions. */
    public void cut(int one, int other) {
        checkLink(one, other);
        network.cut(one, other);
    }

    /** Blocks traffic from one member to another; the opposite direction stays open. */
    public void cutOneWay(int from, int to) {
        checkLink(from, to);
        network.cutOneWay(from, to);
    }

    /** Cuts one member off from all others; clients still reach it. */
    public void isolate(int member) {
        for (int other : members()) {
            if (other != member) {
                cut(member, other);
            }
        }
    }

    /**
     * Ends all cuts, and waits until every running member serves.
     *
     * @throws IllegalStateException if they do not serve within a minute
     */
    public void heal() {
        for (int one : members()) {
            for (int other : members()) {
                if (one < other) {
                    network.mend(one, other);
                }
            }
        }
        awaitServing();
    }

    /** Kills a member ({@code SIGKILL}); its data stays. Idempotent. */
    public void kill(int member) {
        process(member).kill();
    }

    /**
     * Starts a member that was killed, on the same ports and data. Does not wait until it serves; see
     * {@link #awaitServing}.
     */
    public void restart(int member) {
        process(member).start();
    }

    /** Stops a member's process where it is ({@code SIGSTOP}); its connections stay open. Idempotent. */
    public void freeze(int member) {
        process(member).freeze();
    }

    /** Resumes a frozen member ({@code SIGCONT}). Idempotent. */
    public void wake(int member) {
        process(member).wake();
    }

    /**
     * Waits until one member leads, all others that run follow it, and each of them serves clients. This does not wait
     * for members that are killed or frozen, but it does for those that are cut off.
     *
     * @throws IllegalStateException if they do not serve within a minute
     */
    public void awaitServing() {
        await("every member to serve", () -> serve(access));
    }

    /** Kills every member and deletes all data. Idempotent. */
    @Override
    public void close() {
        end();
        atExit.remove();
    }

    @Override
    public String toString() {
        return "EtcdCluster[" + version() + " at " + hosts(members()) + "]";
    }

    private void launch() {
        atExit.add();
        processes.values().forEach(ServerProgram::start);
        EtcdAccess anonymous = access.anonymous();
        await("every member to serve", () -> serve(anonymous));
        if (access.authentication()) {
            EtcdUsers.enable(ctl(1, anonymous));
        }
    }

    /** Terms are not compared. A member that caught up from a snapshot reports an old term until the next write. */
    private boolean serve(EtcdAccess as) {
        List<Integer> awake = awake();
        Collection<EtcdStatus> statuses = statuses(as).values();
        return statuses.size() == awake.size()
                && statuses.stream().map(EtcdStatus::leader).distinct().count() == 1
                && awake.stream().allMatch(member -> ctl(member, as).serves());
    }

    private Map<Integer, EtcdStatus> statuses(EtcdAccess as) {
        Map<Integer, EtcdStatus> statuses = new TreeMap<>();
        for (int member : awake()) {
            if (Loopback.isOpen(address(member).getPort())) {
                EtcdStatus.ask(ctl(member, as)).ifPresent(status -> statuses.put(member, status));
            }
        }
        return statuses;
    }

    /** The members that could answer. */
    private List<Integer> awake() {
        return members().stream()
                .filter(member -> process(member).isAlive() && !process(member).isFrozen())
                .toList();
    }

    private Map<Long, Integer> pids() {
        Map<Long, Integer> pids = new HashMap<>();
        processes.forEach((member, process) -> process.handle().ifPresent(handle -> pids.put(handle.pid(), member)));
        return pids;
    }

    private void await(String what, ServerAwait.Check check) {
        ServerAwait.until(what, processes.values(), check);
    }

    private Etcdctl ctl(int member, EtcdAccess as) {
        return new Etcdctl(binaries, endpoint(member), as);
    }

    private void checkLink(int one, int other) {
        process(one);
        process(other);
        if (one == other) {
            throw new IllegalArgumentException("member " + one + " cannot be cut off from itself");
        }
    }

    private ServerProgram process(int member) {
        ServerProgram process = processes.get(member);
        if (process == null) {
            throw new IllegalArgumentException("there is no member " + member + ", only " + members());
        }
        return process;
    }

    private String hosts(List<Integer> of) {
        return of.stream()
                .map(member -> EtcdPorts.hostAndPort(address(member).getPort()))
                .collect(Collectors.joining(","));
    }

    private void end() {
        try {
            processes.values().forEach(ServerProgram::kill);
        } finally {
            network.close();
            Directories.delete(home);
        }
    }

    /** Configures a cluster; {@link #start} starts it. */
    public static final class Builder {

        private static final int MOST = 9;

        private final EtcdOptions options = new EtcdOptions();
        private int members = 3;

        private Builder() {
            // Cluster tests spend their waiting time on elections.
            options.pace(Duration.ofMillis(50), Duration.ofMillis(500));
        }

        /** The number of members. Default 3. */
        public Builder members(int value) {
            if (value < 1 || value > MOST) {
                throw new IllegalArgumentException("members must be 1 to " + MOST + ", not " + value);
            }
            members = value;
            return this;
        }

        /** The programs to run. Default {@link EtcdBinaries#newest}, resolved at start. */
        public Builder binaries(EtcdBinaries value) {
            options.binaries = () -> value;
            return this;
        }

        /**
         * The leader's heartbeat interval, and the time without heartbeats before an election. Default 50 ms and 500
         * ms.
         */
        public Builder pace(Duration heartbeat, Duration election) {
            options.pace(heartbeat, election);
            return this;
        }

        /**
         * Clients must use TLS. Members use no TLS among themselves.
         *
         * @param host the names in their certificate, as {@code dns:localhost,ip:127.0.0.1}; the latter is needed
         * @param clientsShowCertificates whether they also require a certificate from each client; they trust
         *     {@code client}'s
         */
        public Builder tls(String host, boolean clientsShowCertificates) {
            options.tls(host, clientsShowCertificates);
            return this;
        }

        /**
         * Members listen on a second port for clients that use TLS and present a certificate. They read their
         * certificate and key anew for each connection.
         *
         * @param own the members' certificate and its key, a PEM file
         * @param authorities the certificates that sign the clients' certificates, a PEM file
         */
        public Builder secondPort(Path own, Path authorities) {
            options.secondPort = true;
            return flag("--cert-file", own.toString())
                    .flag("--key-file", own.toString())
                    .flag("--trusted-ca-file", authorities.toString())
                    .flag("--client-cert-auth");
        }

        /** Requires a user and a password: {@link LocalEtcd#ROOT}, or a user that was added. */
        public Builder authentication() {
            options.authentication = true;
            return this;
        }

        /** Adds a flag, with its value if it has one. */
        public Builder flag(String... flag) {
            options.flags.addAll(List.of(flag));
            return this;
        }

        /**
         * Starts the members; every member serves when this returns.
         *
         * @throws IllegalStateException if there is no etcd, or if they do not serve within a minute; the message holds
         *     their output
         */
        public EtcdCluster start() {
            EtcdCluster cluster =
                    options.create((settings, access, home) -> new EtcdCluster(members, settings, access, home));
            try {
                cluster.launch();
                return cluster;
            } catch (RuntimeException broken) {
                cluster.close();
                throw broken;
            }
        }
    }
}
