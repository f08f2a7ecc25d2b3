package io.baton.testkit.etcd;

import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.server.Certificates;
import io.baton.testkit.server.Directories;
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
 * <p>It can be killed and restarted on the same ports and data, which leases survive; frozen and woken; it can end a lease
 * as if it had expired; and it counts what clients ask of it.
 *
 * <p><b>Guarantees.</b> {@link #close()} leaves no process, port or directory behind. The process ends with this JVM, even
 * if that is killed, and even if the server is frozen.
 *
 * <p><b>Needs</b> {@link EtcdBinaries}, and a POSIX shell.
 *
 * <p><b>Threads.</b> Any thread may call any method.
 */
public final class LocalEtcd implements TestServer {

    /** The user who may do anything, where there are users. */
    public static final String ROOT = EtcdAccess.ROOT;

    /** The password of {@link #ROOT}. */
    public static final String ROOT_PASSWORD = EtcdAccess.ROOT_PASSWORD;

    /** What etcd makes the cluster's identity of, unless told otherwise. */
    public static final String TOKEN = "etcd-cluster";

    private final ReentrantLock lock = new ReentrantLock();
    private final EtcdBinaries binaries;
    private final EtcdAccess access;
    private final Path home;
    private final EtcdPorts ports;
    private final EtcdProcess process;
    private final EtcdMetrics metrics;
    private final Etcdctl ctl;
    private final Thread atExit = new Thread(this::end, "etcd-exit");
    private boolean closed;

    private LocalEtcd(EtcdSettings settings, EtcdAccess access, Path home, EtcdPorts ports) {
        this.binaries = settings.binaries();
        this.access = access;
        this.home = home;
        this.ports = ports;
        this.process = new EtcdProcess(
                "etcd",
                settings.command("local", "local=" + ports.peerUrl(), data(), ports, access),
                home.resolve("log"));
        this.metrics = new EtcdMetrics(ports.metrics());
        this.ctl = ctl(access);
    }

    /** Starts a server of the newest version there is, on free ports. */
    public static LocalEtcd start() {
        return builder().start();
    }

    /** Starts from the defaults. */
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

    /** Which version it is. */
    public EtcdVersion version() {
        return binaries.version();
    }

    /** etcd's own client for this server; where there are users, it is root. */
    public Etcdctl ctl() {
        return ctl;
    }

    /** Where there are users, makes one who may read and write the keys that begin so. */
    public void addUser(String user, String password, String prefix) {
        EtcdUsers.add(ctl, user, password, prefix);
    }

    /** Where it speaks TLS, the keys and certificates: {@code server} is its own, {@code client} one that it trusts. */
    public Optional<Certificates> certificates() {
        return access.certificates();
    }

    /**
     * Makes other keys and certificates in their place. The server uses its own from its next start on.
     *
     * @param host as for {@link Builder#tls(String, boolean)}
     * @throws IllegalStateException if it speaks no TLS
     */
    public void renewCertificates(String host) {
        access.renew(host);
    }

    /** The number of its process. */
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

    /** Whether it serves, or would if it were not frozen. */
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
     * Serves again after {@link #kill()}, or is killed and serves again, on the same ports and data. A lease whose client
     * comes back within its time to live, counted from now, goes on.
     *
     * @throws IllegalStateException once closed, or if it does not serve soon
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

    /** Writes all that it holds into a file, as operators do. */
    public void backUp(Path file) {
        ctl.run("snapshot", "save", file.toString());
    }

    /**
     * Kills it and serves again, on the same ports, with what this backup of it holds, leases among it.
     *
     * @param token etcd makes the cluster's identity of it: {@link #TOKEN} for the same as before, anything else for
     *     another
     * @throws IllegalStateException once closed, or if it does not serve soon
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

    /** Lets it go on ({@code SIGCONT}), unaware of the time it missed. Idempotent. */
    public void wake() {
        lock.lock();
        try {
            process.wake();
        } finally {
            lock.unlock();
        }
    }

    /** Ends a lease as if its client had been silent too long; its keys are gone when this returns. */
    public void expire(long lease) {
        ctl.expire(lease);
    }

    /** The leases there are, as hexadecimal numbers. */
    public List<String> leases() {
        return ctl.leases();
    }

    /** Deletes a key; false if there was none. */
    public boolean delete(String key) {
        return ctl.delete(key);
    }

    /** The keys that begin so, in order: to see that a client leaves nothing behind. */
    public List<String> keys(String prefix) {
        return ctl.keys(prefix);
    }

    /** The store's revision. */
    public long revision() {
        return EtcdStatus.ask(ctl).orElseThrow().revision();
    }

    /** Forgets all that was before the present revision; a watch that would begin there can begin no more. */
    public void compact() {
        ctl.run("compaction", "--physical", Long.toString(revision()));
    }

    /**
     * The messages that clients sent since the last start, by service and method: {@code KV/Txn}, {@code KV/Range}, {@code
     * Lease/LeaseGrant}, {@code Lease/LeaseKeepAlive}, {@code Watch/Watch}, {@code Lock/Lock} and so on. On a stream, as are the last two,
     * each message counts. Those of {@link #ctl()} and of this class's own methods are among them. A snapshot.
     */
    public SortedMap<String, Long> requests() {
        return metrics.requests();
    }

    /** How many messages of that kind clients sent; the kinds are those of {@link #requests()}. */
    public long requests(String kind) {
        return requests().getOrDefault(kind, 0L);
    }

    /** How many watches clients have open. */
    public long watches() {
        return metrics.watches();
    }

    /** How many streams of watches clients have open; there may be some without a watch. */
    public long watchStreams() {
        return metrics.watchStreams();
    }

    /** Kills the server and deletes its data. Idempotent. */
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
        return "LocalEtcd[" + version() + " at " + EtcdPorts.hostAndPort(port()) + (isRunning() ? "" : ", stopped")
                + "]";
    }

    private void end() {
        lock.lock();
        try {
            closed = true;
            process.kill();
            Directories.delete(home);
        } finally {
            lock.unlock();
        }
    }

    private Etcdctl ctl(EtcdAccess as) {
        return new Etcdctl(binaries, endpoint(), as);
    }

    private void launch() {
        Runtime.getRuntime().addShutdownHook(atExit);
        process.start();
        Etcdctl anonymous = ctl(access.anonymous());
        awaitServing(anonymous);
        if (access.authentication()) {
            EtcdUsers.enable(anonymous);
        }
    }

    private void awaitServing(Etcdctl client) {
        EtcdAwait.until("etcd to serve", List.of(process), () -> Loopback.isOpen(port()) && client.serves());
    }

    /** Collects what can be chosen; {@link #start} starts. */
    public static final class Builder {

        private static final int ATTEMPTS = 5;

        private final EtcdOptions options = new EtcdOptions();

        private Builder() {}

        /** Which programs to run. Default {@link EtcdBinaries#newest}, looked for when it starts. */
        public Builder binaries(EtcdBinaries value) {
            options.binaries = () -> value;
            return this;
        }

        /** As {@link EtcdBinaries#oldest}, looked for when it starts. */
        public Builder oldest() {
            options.binaries = EtcdBinaries::oldest;
            return this;
        }

        /**
         * How often the leader tells that it is there, and after how long without it there is an election. A lease lives
         * one and a half times the latter at least. Default 100 ms and 1 s, as etcd's own.
         */
        public Builder pace(Duration heartbeat, Duration election) {
            options.pace(heartbeat, election);
            return this;
        }

        /** It speaks TLS only, with a certificate for 127.0.0.1 and localhost. */
        public Builder tls() {
            return tls("ip:127.0.0.1,dns:localhost", false);
        }

        /**
         * It speaks TLS only.
         *
         * @param host what its certificate is for, as {@code dns:localhost,ip:127.0.0.1}; without the latter
         *     {@link LocalEtcd#ctl} cannot be used, and the server cannot be waited for
         * @param clientsShowCertificates whether it wants one of each client, too; it trusts {@code client}'s
         */
        public Builder tls(String host, boolean clientsShowCertificates) {
            options.tls(host, clientsShowCertificates);
            return this;
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
         * Starts the server; it serves when this returns.
         *
         * @throws IllegalStateException if there is no etcd here, or if it does not serve within a minute
         */
        public LocalEtcd start() {
            for (int attempt = 1; ; attempt++) {
                Path home = Directories.temporary("etcd");
                LocalEtcd etcd = new LocalEtcd(options.settings(), options.access(home), home, EtcdPorts.free());
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
