package io.baton.testkit.etcd;

import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.server.Certificates;
import io.baton.testkit.server.Directories;
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
 * A cluster of real etcd servers, each in a process of its own, whose members can be killed and frozen and whose network
 * can be partitioned.
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
 * <p>Members are numbered from 1. Between any two of them all traffic, either way, runs through proxies of this JVM. A cut
 * link is a black hole: what is sent waits, nothing is closed, and what was sent arrives once the link is healed. Clients
 * connect to the members directly; to disturb those connections, put a {@link TcpProxy} before {@link #address}.
 *
 * <p><b>Guarantees.</b> {@link #close()} leaves no process, thread, port or directory behind. The processes end with this
 * JVM, even if it is killed, and even those that are frozen.
 *
 * <p><b>Needs</b> {@link EtcdBinaries}, and Linux, which tells whose a connection is.
 *
 * <p><b>Threads.</b> Any thread may call any method, but two that change the same member or link had better take turns.
 */
public final class EtcdCluster implements AutoCloseable {

    private final EtcdBinaries binaries;
    private final EtcdAccess access;
    private final Path home;
    private final EtcdNetwork network;
    private final Map<Integer, EtcdProcess> processes = new TreeMap<>();
    private final Thread atExit = new Thread(this::end, "etcd-cluster-exit");

    private EtcdCluster(int members, EtcdOptions options) {
        EtcdSettings settings = options.settings();
        binaries = settings.binaries();
        home = Directories.temporary("etcd");
        access = options.access(home);
        network = new EtcdNetwork(members, this::pids);
        for (int member = 1; member <= members; member++) {
            String name = EtcdNetwork.name(member);
            List<String> command =
                    settings.command(name, network.members(), home.resolve(name), network.ports(member), access);
            processes.put(member, new EtcdProcess(name, command, home.resolve(name + ".log")));
        }
    }

    /** Starts three members of the newest version there is. */
    public static EtcdCluster start() {
        return builder().start();
    }

    /** Starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** The numbers of the members, running or not: 1 and so on. */
    public List<Integer> members() {
        return List.copyOf(processes.keySet());
    }

    /** Which version it is. */
    public EtcdVersion version() {
        return binaries.version();
    }

    /** The address of them all for {@code Coordinator.connect}, with the path below which the client works. */
    public String uri(String root) {
        return uri(members(), root);
    }

    /** The address of these members, in this order; a client that is given it connects to no other. */
    public String uri(List<Integer> members, String root) {
        return EtcdUri.of(access.batonScheme(), hosts(members), root);
    }

    /** The address of one member; a client that is given it connects to no other. */
    public String uriOf(int member, String root) {
        return uri(List.of(member), root);
    }

    /** Where a member listens for clients; the same after a restart. */
    public InetSocketAddress address(int member) {
        process(member);
        return Loopback.at(network.ports(member).clients());
    }

    /** Where a member listens for clients that speak TLS, if {@link Builder#secondPort} was set. */
    public InetSocketAddress secureAddress(int member) {
        process(member);
        return Loopback.at(network.ports(member).secure());
    }

    /** The address of one member for other etcd clients. */
    public String endpoint(int member) {
        return access.scheme() + "://" + EtcdPorts.hostAndPort(address(member).getPort());
    }

    /** etcd's own client for all members; where there are users, it is root. */
    public Etcdctl ctl() {
        return new Etcdctl(binaries, members().stream().map(this::endpoint).collect(Collectors.joining(",")), access);
    }

    /** etcd's own client for one member; where there are users, it is root. */
    public Etcdctl ctl(int member) {
        return ctl(member, access);
    }

    /** Where there are users, makes one who may read and write the keys that begin so. */
    public void addUser(String user, String password, String prefix) {
        EtcdUsers.add(ctl(), user, password, prefix);
    }

    /** Where it speaks TLS, the keys and certificates: {@code server} is its own, {@code client} one that it trusts. */
    public Optional<Certificates> certificates() {
        return access.certificates();
    }

    /** As {@link LocalEtcd#requests()}, of one member. */
    public SortedMap<String, Long> requests(int member) {
        return new EtcdMetrics(network.ports(member).metrics()).requests();
    }

    /** How many watches clients have open on one member. */
    public long watches(int member) {
        return new EtcdMetrics(network.ports(member).metrics()).watches();
    }

    /**
     * The member that leads; waits for one. One that was cut off takes itself for the leader for a while: of two, it is the
     * one of the later term.
     *
     * @throws IllegalStateException if for a minute nobody leads
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

    /** The members that follow, or would: all but the leader. */
    public List<Integer> followers() {
        int leader = leader();
        return members().stream().filter(member -> member != leader).toList();
    }

    /**
     * Lets this member lead, which must be in touch with the leader.
     *
     * @throws IllegalStateException if it does not within a minute
     */
    public void moveLeader(int member) {
        int leader = leader();
        if (leader != member) {
            long id = EtcdStatus.ask(ctl(member)).orElseThrow().member();
            ctl(leader).run("move-leader", Long.toHexString(id));
            await("member " + member + " to lead", () -> leader() == member);
        }
    }

    /** Whether a member takes itself for the leader, rightly or not. */
    public boolean leads(int member) {
        return EtcdStatus.ask(ctl(member)).filter(EtcdStatus::leads).isPresent();
    }

    /** Lets nothing through between two members, either way. */
    public void cut(int one, int other) {
        checkLink(one, other);
        network.cut(one, other);
    }

    /** Lets nothing through from one member to another; what the other sends still arrives. */
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
     * Lets everything through again, and waits until every member that runs serves.
     *
     * @throws IllegalStateException if they do not within a minute
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

    /** Lets a frozen member go on ({@code SIGCONT}), unaware of the time it missed. Idempotent. */
    public void wake(int member) {
        process(member).wake();
    }

    /**
     * Waits until one member leads, all others that run follow it, and clients are served by each of them. Those that were
     * killed or are frozen are not waited for; those that are cut off are.
     *
     * @throws IllegalStateException if they do not within a minute
     */
    public void awaitServing() {
        await("every member to serve", () -> serve(access));
    }

    /** Kills every member and deletes all data. Idempotent. */
    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException exitingAlready) {
            // Then the hook runs, too, and finds nothing left to do.
            return;
        }
    }

    @Override
    public String toString() {
        return "EtcdCluster[" + version() + " at " + hosts(members()) + "]";
    }

    private void launch() {
        Runtime.getRuntime().addShutdownHook(atExit);
        processes.values().forEach(EtcdProcess::start);
        EtcdAccess anonymous = access.anonymous();
        await("every member to serve", () -> serve(anonymous));
        if (access.authentication()) {
            EtcdUsers.enable(ctl(1, anonymous));
        }
    }

    /** Terms are not compared: one that was brought up to date by a snapshot tells an old one until the next write. */
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

    /** Those that could answer. */
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

    private void await(String what, EtcdAwait.Check check) {
        EtcdAwait.until(what, processes.values(), check);
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

    private EtcdProcess process(int member) {
        EtcdProcess process = processes.get(member);
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
        processes.values().forEach(EtcdProcess::kill);
        network.close();
        Directories.delete(home);
    }

    /** Collects what can be chosen; {@link #start} starts. */
    public static final class Builder {

        private static final int MOST = 9;

        private final EtcdOptions options = new EtcdOptions();
        private int members = 3;

        private Builder() {
            // Elections are what tests of clusters wait for.
            options.pace(Duration.ofMillis(50), Duration.ofMillis(500));
        }

        /** How many members. Default 3. */
        public Builder members(int value) {
            if (value < 1 || value > MOST) {
                throw new IllegalArgumentException("members must be 1 to " + MOST + ", not " + value);
            }
            members = value;
            return this;
        }

        /** Which programs to run. Default {@link EtcdBinaries#newest}, looked for when it starts. */
        public Builder binaries(EtcdBinaries value) {
            options.binaries = () -> value;
            return this;
        }

        /** How often a leader tells that it is there, and after how long without it there is an election. Default 50, 500 ms. */
        public Builder pace(Duration heartbeat, Duration election) {
            options.pace(heartbeat, election);
            return this;
        }

        /**
         * Its members speak TLS only with clients; they go on without among themselves.
         *
         * @param host what their certificate is for, as {@code dns:localhost,ip:127.0.0.1}; the latter is needed
         * @param clientsShowCertificates whether they want one of each client, too; they trust {@code client}'s
         */
        public Builder tls(String host, boolean clientsShowCertificates) {
            options.tls(host, clientsShowCertificates);
            return this;
        }

        /**
         * Its members listen on a second port for clients that speak TLS and show a certificate. They read their own
         * certificate and key for each connection anew.
         *
         * @param own the members' certificate and its key, a PEM file
         * @param authorities who signs the clients' certificates, a PEM file
         */
        public Builder secondPort(Path own, Path authorities) {
            options.secondPort = true;
            return flag("--cert-file", own.toString())
                    .flag("--key-file", own.toString())
                    .flag("--trusted-ca-file", authorities.toString())
                    .flag("--client-cert-auth");
        }

        /** It lets in those only who name a user and a password: {@link LocalEtcd#ROOT}, and who is added. */
        public Builder authentication() {
            options.authentication = true;
            return this;
        }

        /** A further flag, with its value, if it has one. */
        public Builder flag(String... flag) {
            options.flags.addAll(List.of(flag));
            return this;
        }

        /**
         * Starts the members; every one serves when this returns.
         *
         * @throws IllegalStateException if there is no etcd here, or if they do not serve within a minute; the message
         *     holds what they printed
         */
        public EtcdCluster start() {
            EtcdCluster cluster = new EtcdCluster(members, options);
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
