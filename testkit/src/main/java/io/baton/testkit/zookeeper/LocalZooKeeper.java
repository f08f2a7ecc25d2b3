package io.baton.testkit.zookeeper;

import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.server.Directories;
import io.baton.testkit.server.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SortedMap;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/**
 * A real ZooKeeper server in this JVM, on loopback, for tests.
 *
 * <pre>{@code
 * try (LocalZooKeeper zookeeper = LocalZooKeeper.start();
 *         Coordinator baton = Coordinator.connect(zookeeper.uri("shop"))) {
 *     ...
 * }
 * }</pre>
 *
 * <p>Its tick is short, so that sessions may be short, too, and tests of expiry need not wait long. It can be stopped
 * and restarted on the same port and data, which sessions survive; it can end a session as if it had expired; and it
 * counts what clients ask of it.
 *
 * <p><b>Guarantees.</b> {@link #close()} leaves no thread, no port and no temporary directory behind. Nothing is printed
 * and nothing registered in JMX; the server logs through slf4j.
 *
 * <p><b>Not guaranteed.</b> It lives and pauses with this JVM. For a server that can be killed or frozen, see
 * {@link ZooKeeperEnsemble}; for TLS, {@link SecureZooKeeper}.
 *
 * <p><b>Threads.</b> Any thread may call any method.
 */
public final class LocalZooKeeper implements TestServer {

    private static final int ATTEMPTS = 5;

    private final ReentrantLock lock = new ReentrantLock();
    private final Incarnation.Settings settings;
    private final boolean ownData;
    private volatile @Nullable Incarnation running;
    private boolean closed;

    private LocalZooKeeper(Incarnation.Settings settings, boolean ownData, Incarnation running) {
        this.settings = settings;
        this.ownData = ownData;
        this.running = running;
    }

    /** Starts a server with a tick of 200 ms on a free port. */
    public static LocalZooKeeper start() {
        return builder().start();
    }

    /** Starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Its address for {@code Coordinator.connect}, without a chroot. */
    public String uri() {
        return uri("");
    }

    /**
     * Its address for {@code Coordinator.connect}.
     *
     * @param chroot the path below which the client works; it is not created here
     */
    @Override
    public String uri(String chroot) {
        return ZkUri.of(hostAndPort(port()), chroot, settings.tick());
    }

    /**
     * Its address for {@code Coordinator.connect}, through a proxy in front of it.
     *
     * @param chroot the path below which the client works; it is not created here
     */
    public String uri(TcpProxy proxy, String chroot) {
        return ZkUri.of(hostAndPort(proxy.port()), chroot, settings.tick());
    }

    /** Its address for other ZooKeeper clients. */
    public String connectString() {
        return hostAndPort(port());
    }

    /** Where it listens; the same after a restart. */
    public InetSocketAddress address() {
        return settings.address();
    }

    /** The port of {@link #address()}. */
    public int port() {
        return settings.address().getPort();
    }

    /** The server's tick; sessions are as long as two ticks at least. */
    public Duration tickTime() {
        return settings.tick();
    }

    /** Stops serving: connections break and new ones are refused. Sessions and data stay. Idempotent. */
    public void stop() {
        lock.lock();
        try {
            Incarnation now = running;
            running = null;
            if (now != null) {
                now.stop();
            }
        } catch (IOException broken) {
            throw new UncheckedIOException("ZooKeeper did not stop in order", broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while ZooKeeper was stopping", interrupted);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Serves again after {@link #stop()}, or stops and serves again, on the same port and data. A session whose client
     * comes back within its timeout, counted from now, goes on.
     *
     * @throws IllegalStateException once closed
     */
    public void restart() {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("this server is closed");
            }
            stop();
            running = launch(settings);
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot restart ZooKeeper on port " + port(), broken);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void serve() {
        if (!isRunning()) {
            restart();
        }
    }

    /** Whether it serves. */
    public boolean isRunning() {
        return running != null;
    }

    /**
     * Ends a session as if its client had been silent too long; it loses its ephemeral nodes. The server does so at
     * once, in the order in which requests arrive, but after this has returned. A session that it does not know is
     * left alone.
     *
     * @throws IllegalStateException while stopped
     */
    public void expire(long sessionId) {
        serving().expire(sessionId);
    }

    /**
     * Lets the next sequential child of this node get this number, as if so many had been made before: for tests of what
     * happens when the numbers run out. Only upwards, and while nothing is being written there.
     *
     * @throws IllegalArgumentException if there is no such node
     * @throws IllegalStateException while stopped
     */
    public void numberFrom(String path, int first) {
        try {
            serving().numberFrom(path, first);
        } catch (KeeperException.NoNodeException none) {
            throw new IllegalArgumentException("there is no " + path, none);
        }
    }

    /**
     * What it holds now: to see that a client leaves nothing behind.
     *
     * @throws IllegalStateException while stopped
     */
    public Contents contents() {
        return serving().contents();
    }

    /**
     * Breaks a client's connection and keeps its session; the client will come back by itself.
     *
     * @return false if that session has no connection at the moment
     * @throws IllegalStateException while stopped
     */
    public boolean closeConnection(long sessionId) {
        return serving().closeConnection(sessionId);
    }

    /**
     * The requests that clients made since the first start, counted as they reached the server, by ZooKeeper's name for
     * their kind: {@code createSession}, {@code closeSession}, {@code ping}, {@code create}, {@code create2}, {@code
     * createContainer}, {@code delete}, {@code exists}, {@code getData}, {@code setData}, {@code getChildren}, {@code
     * getChildren2}, {@code multi} (counted once, whatever it holds), {@code sync} and so on. A snapshot.
     */
    public SortedMap<String, Long> requests() {
        return settings.requests().read();
    }

    /** How often that kind of request was made; the kinds are those of {@link #requests()}. */
    public long requests(String kind) {
        return requests().getOrDefault(kind, 0L);
    }

    /** Stops the server and deletes its data, unless its directory was given. Idempotent. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                stop();
            }
        } finally {
            if (ownData) {
                Directories.delete(settings.data());
            }
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "LocalZooKeeper[" + connectString() + (isRunning() ? "" : ", stopped") + "]";
    }

    private Incarnation serving() {
        Incarnation now = running;
        if (now == null) {
            throw new IllegalStateException("ZooKeeper is stopped");
        }
        return now;
    }

    private static String hostAndPort(int port) {
        return "127.0.0.1:" + port;
    }

    private static Incarnation launch(Incarnation.Settings settings) throws IOException {
        try {
            return Incarnation.start(settings);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while ZooKeeper was starting", interrupted);
        }
    }

    /** Collects what can be chosen; {@link #start} starts. */
    public static final class Builder {

        private Duration tickTime = Duration.ofMillis(200);
        private Duration maxSessionTimeout = Duration.ofMinutes(1);
        private Duration containerInterval = Duration.ofMinutes(1);
        private int port;
        private @Nullable Path data;

        private Builder() {}

        /** ZooKeeper's unit of time. Sessions last two of them at least, and expire on a tick. Default 200 ms. */
        public Builder tickTime(Duration value) {
            tickTime = positive("tickTime", value);
            return this;
        }

        /** The longest timeout granted to a session; real servers grant 20 ticks. Default 1 min. */
        public Builder maxSessionTimeout(Duration value) {
            maxSessionTimeout = positive("maxSessionTimeout", value);
            return this;
        }

        /** How often empty containers are looked for and removed. Default 1 min, as on a real server. */
        public Builder containerInterval(Duration value) {
            containerInterval = positive("containerInterval", value);
            return this;
        }

        /** The port to listen on; 0, the default, for any free one. */
        public Builder port(int value) {
            if (value < 0 || value > 65_535) {
                throw new IllegalArgumentException("no port: " + value);
            }
            port = value;
            return this;
        }

        /** Where the data is, and stays; by default in a temporary directory that {@link #close} deletes. */
        public Builder data(Path value) {
            data = value;
            return this;
        }

        /**
         * Starts the server; it serves when this returns.
         *
         * @throws UncheckedIOException if the port is taken or the data cannot be read or written
         */
        public LocalZooKeeper start() {
            Path directory = data;
            boolean own = directory == null;
            if (directory == null) {
                directory = Directories.temporary("zookeeper");
            }
            try {
                return start(directory, own);
            } catch (IOException broken) {
                if (own) {
                    Directories.delete(directory);
                }
                throw new UncheckedIOException("cannot start ZooKeeper: " + broken.getMessage(), broken);
            }
        }

        private LocalZooKeeper start(Path directory, boolean own) throws IOException {
            RequestLog requests = new RequestLog();
            for (int attempt = 1; ; attempt++) {
                int chosen = port == 0 ? Loopback.freePort() : port;
                var address = Loopback.at(chosen);
                var settings = new Incarnation.Settings(
                        address, directory, tickTime, maxSessionTimeout, containerInterval, requests);
                try {
                    return new LocalZooKeeper(settings, own, launch(settings));
                } catch (BindException taken) {
                    if (port != 0 || attempt == ATTEMPTS) {
                        throw taken;
                    }
                }
            }
        }

        private static Duration positive(String name, Duration value) {
            if (value.toMillis() < 1 || value.toMillis() > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(name + " makes no sense: " + value);
            }
            return value;
        }
    }
}
