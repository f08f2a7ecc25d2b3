package io.baton.testkit.etcd;

import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.server.AtExit;
import io.baton.testkit.server.Certificates;
import io.baton.testkit.server.Directories;
import io.baton.testkit.server.ServerAwait;
import io.baton.testkit.server.ServerProgram;
import io.baton.testkit.server.TestServer;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A real etcd server in a process of its own, on loopback, for tests.
 *
 * <pre>{@code
 * try (LocalEtcd etcd = LocalEtcd.start();
 *         Coordinator baton = Coordinator.connect(etcd.uri("shop"))) {
 *     ...
 * }
 * }</pre>
 *
 * <p>The server can be killed and restarted on the same ports and data; leases survive. It can be frozen and woken. It
 * can expire a lease at once, and it counts the requests of clients.
 *
 * <p><b>Guarantees.</b> {@link #close()} leaves no process, port or directory behind. The process ends with this JVM,
 * even if that is killed, and even if the server is frozen.
 *
 * <p><b>Needs</b> {@link EtcdBinaries}, and a POSIX shell.
 *
 * <p><b>Threads.</b> Any thread may call any method.
 */
public final class LocalEtcd implements TestServer {

    /** The user who may do anything; exists with authentication only. */
    public static final String ROOT = EtcdAccess.ROOT;

    /** The password of {@link #ROOT}. */
    public static final String ROOT_PASSWORD = EtcdAccess.ROOT_PASSWORD;

    /** The token from which etcd derives the cluster's id by default. */
    public static final String TOKEN = "etcd-cluster";

    private final ReentrantLock lock = new ReentrantLock();
    private final EtcdBinaries binaries;
    private final EtcdAccess access;
    private final Path home;
    private final EtcdPorts ports;
    private final ServerProgram process;
    private final EtcdMetrics metrics;
    private final Etcdctl ctl;
    private final AtExit atExit = new AtExit("etcd", this::end);
    private boolean closed;

    private LocalEtcd(EtcdSettings settings, EtcdAccess access, Path home, EtcdPorts ports) {
        this.binaries = settings.binaries();
        this.access = access;
        this.home = home;
        this.ports = ports;
        this.process = new ServerProgram(
                "etcd",
                settings.command("local", "local=" + ports.peerUrl(), data(), ports, access),
                home.resolve("log"));
        this.metrics = new EtcdMetrics(ports.metrics());
        this.ctl = ctl(access);
    }

    /** Starts a server of the newest version found, on free ports. */
    public static LocalEtcd start() {
        return builder().start();
    }

    /** Returns a builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Its address for {@code Coordinator.connect}, without a root. */
    public String uri() {
        return uri("");
    }

    /** Its address for {@code Coordinator.connect}, with the path below which the client works. */
    @Override
    public String uri(String root) {
        return EtcdUri.of(access.batonScheme(), EtcdPorts.hostAndPort(ports.clients()), root);
    }

    /** Its address for {@code Coordinator.connect}, through a proxy in front of it. */
    public String uri(TcpProxy proxy, String root) {
        return EtcdUri.of(access.batonScheme(), EtcdPorts.hostAndPort(proxy.port()), root);
    }

    /** Its address for other etcd clients. */
    public String endpoint() {
        return access.scheme() + "://" + EtcdPorts.hostAndPort(ports.clients());
    }

    /** Where it listens for clients; the same after a restart. */
    public InetSocketAddress address() {
        return Loopback.at(ports.clients());
    }

    /** The port of {@link #address()}. */
    public int port() {
        return ports.clients();
    }

    /** The version of the server. */
    public EtcdVersion version() {
        return binaries.version();
    }

    /** etcd's own client for this server. With authentication, it acts as root. */
    public Etcdctl ctl() {
        return ctl;
    }

    /** With authentication, adds a user who may read and write the keys with this prefix. */
    public void addUser(String user, String password, String prefix) {
        EtcdUsers.add(ctl, user, password, prefix);
    }

    /**
     * The keys and certificates; empty without TLS. {@code server} is the server's own, and it trusts {@code client}.
     */
    public Optional<Certificates> certificates() {
        return access.certificates();
    }

    /**
     * Replaces the keys and certificates. The server uses its own from its next start on.
     *
     * @param host as for {@link Builder#tls(String, boolean)}
     * @throws IllegalStateException if the server uses no TLS
     */
    public void renewCertificates(String host) {
        access.renew(host);
    }

    /** The id of the server's process. */
    public long pid() {
        return process.pid();
    }

    @Override
    public void serve() {
        wake();
        if (!isRunning()) {
            restart();
        }
    }

    /** Whether the server runs; true also while it is frozen. */
    public boolean isRunning() {
        return process.isAlive();
    }

    private Path data() {
        return home.resolve("data");
    }

    /** Kills it ({@code SIGKILL}): connections break and new ones are refused. Leases and data stay. Idempotent. */
    public void kill() {
        lock.lock();
        try {
            process.kill();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Starts the server again on the same ports and data; kills it first if it runs. A lease continues if its client
     * returns within its time to live, counted from now.
     *
     * @throws IllegalStateException once closed, or if the server does not serve soon
     */
    public void restart() {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("this server is closed");
            }
            process.kill();
            process.start();
            awaitServing(ctl);
        } finally {
            lock.unlock();
        }
    }

    /** Saves a backup of all data to a file, as operators do. */
    public void backUp(Path file) {
        ctl.run("snapshot", "save", file.toString());
    }

    /**
     * Kills the server and starts it on the same ports with the data of this backup, including its leases.
     *
     * @param token the token from which etcd derives the cluster's id; {@link #TOKEN} keeps the id, any other value
     *     changes it
     * @throws IllegalStateException once closed, or if the server does not serve soon
     */
    public void restore(Path file, String token) {
        lock.lock();
        try {
            process.kill();
            Directories.delete(data());
            String peer = ports.peerUrl();
            ctl.run(
                    "snapshot",
                    "restore",
                    file.toString(),
                    "--name",
                    "local",
                    "--data-dir",
                    data().toString(),
                    "--initial-cluster",
                    "local=" + peer,
                    "--initial-advertise-peer-urls",
                    peer,
                    "--initial-cluster-token",
                    token);
            restart();
        } finally {
            lock.unlock();
        }
    }

    /** Stops its process where it is ({@code SIGSTOP}); its connections stay open. Idempotent. */
    public void freeze() {
        lock.lock();
        try {
            process.freeze();
        } finally {
            lock.unlock();
        }
    }

    /** Resumes the process ({@code SIGCONT}). Idempotent. */
    public void wake() {
        lock.lock();
        try {
            process.wake();
        } finally {
            lock.unlock();
        }
    }

    /** Revokes a lease as if it had expired; its keys are deleted when this returns. */
    public void expire(long lease) {
        ctl.expire(lease);
    }

    /** The ids of all leases, in hexadecimal. */
    public List<String> leases() {
        return ctl.leases();
    }

    /** Deletes a key; returns false if there was none. */
    public boolean delete(String key) {
        return ctl.delete(key);
    }

    /** The keys with this prefix, in order. Tests use it to check that a client leaves nothing behind. */
    public List<String> keys(String prefix) {
        return ctl.keys(prefix);
    }

    /** The store's revision. */
    public long revision() {
        return EtcdStatus.ask(ctl).orElseThrow().revision();
    }

    /** Compacts the store at the present revision. A watch can no longer start at an earlier one. */
    public void compact() {
        ctl.run("compaction", "--physical", Long.toString(revision()));
    }

    /**
     * The number of messages that clients sent since the last start, by service and method. Examples are
     * {@code KV/Txn}, {@code KV/Range}, {@code Lease/LeaseGrant}, {@code Lease/LeaseKeepAlive}, {@code Watch/Watch} and
     * {@code Lock/Lock}. On a stream, each message counts. The messages of {@link #ctl()} and of this class's own
     * methods are included. The map is a snapshot.
     */
    public SortedMap<String, Long> requests() {
        return metrics.requests();
    }

    /** The number of messages of this kind that clients sent; {@link #requests()} lists the kinds. */
    public long requests(String kind) {
        return requests().getOrDefault(kind, 0L);
    }

    /** The number of watches that clients have open. */
    public long watches() {
        return metrics.watches();
    }

    /** The number of watch streams that clients have open; some may carry no watch. */
    public long watchStreams() {
        return metrics.watchStreams();
    }

    /** Kills the server and deletes its data. Idempotent. */
    @Override
    public void close() {
        end();
        atExit.remove();
    }

    @Override
    public String toString() {
        return "LocalEtcd[" + version() + " at " + EtcdPorts.hostAndPort(port()) + (isRunning() ? "" : ", stopped")
                + "]";
    }

    private void end() {
        lock.lock();
        try {
            closed = true;
            process.kill();
        } finally {
            lock.unlock();
            Directories.delete(home);
        }
    }

    private Etcdctl ctl(EtcdAccess as) {
        return new Etcdctl(binaries, endpoint(), as);
    }

    private void launch() {
        atExit.add();
        process.start();
        Etcdctl anonymous = ctl(access.anonymous());
        awaitServing(anonymous);
        if (access.authentication()) {
            EtcdUsers.enable(anonymous);
        }
    }

    private void awaitServing(Etcdctl client) {
        ServerAwait.until("etcd to serve", List.of(process), () -> Loopback.isOpen(port()) && client.serves());
    }

    /** Configures a server; {@link #start} starts it. */
    public static final class Builder {

        private static final int ATTEMPTS = 5;

        private final EtcdOptions options = new EtcdOptions();

        private Builder() {}

        /** The programs to run. Default {@link EtcdBinaries#newest}, resolved at start. */
        public Builder binaries(EtcdBinaries value) {
            options.binaries = () -> value;
            return this;
        }

        /** Runs {@link EtcdBinaries#oldest}, resolved at start. */
        public Builder oldest() {
            options.binaries = EtcdBinaries::oldest;
            return this;
        }

        /**
         * The leader's heartbeat interval, and the time without heartbeats before an election. A lease lives at least
         * one and a half times the latter. Default 100 ms and 1 s, as in etcd.
         */
        public Builder pace(Duration heartbeat, Duration election) {
            options.pace(heartbeat, election);
            return this;
        }

        /** Clients must use TLS; the certificate is for 127.0.0.1 and localhost. */
        public Builder tls() {
            return tls("ip:127.0.0.1,dns:localhost", false);
        }

        /**
         * Clients must use TLS.
         *
         * @param host the names in the server's certificate, as {@code dns:localhost,ip:127.0.0.1}. Without the latter,
         *     {@link LocalEtcd#ctl} fails and the start cannot be awaited.
         * @param clientsShowCertificates whether it also requires a certificate from each client; it trusts
         *     {@code client}'s
         */
        public Builder tls(String host, boolean clientsShowCertificates) {
            options.tls(host, clientsShowCertificates);
            return this;
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
         * Starts the server; it serves when this returns.
         *
         * @throws IllegalStateException if there is no etcd, or if the server does not serve within a minute
         */
        public LocalEtcd start() {
            for (int attempt = 1; ; attempt++) {
                LocalEtcd etcd = options.create(
                        (settings, access, home) -> new LocalEtcd(settings, access, home, EtcdPorts.free()));
                try {
                    etcd.launch();
                    return etcd;
                } catch (RuntimeException broken) {
                    boolean portTaken = String.valueOf(broken.getMessage()).contains("address already in use");
                    etcd.close();
                    if (!portTaken || attempt == ATTEMPTS) {
                        throw broken;
                    }
                }
            }
        }
    }
}
