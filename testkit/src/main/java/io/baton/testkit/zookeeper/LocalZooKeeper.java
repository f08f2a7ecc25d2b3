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
 * <p>Its short tick allows short sessions, so tests of expiry need not wait long. The server can be stopped and
 * restarted on the same port and data; sessions survive. It can expire a session at once, and it counts the requests of
 * clients.
 *
 * <p><b>Guarantees.</b> {@link #close()} leaves no thread, no port and no temporary directory behind. Nothing is
 * printed and nothing registered in JMX; the server logs through slf4j.
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

    /** Returns a builder with the defaults. */
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
     * @param chroot the path below which the client works; this method does not create it
     */
    @Override
    public String uri(String chroot) {
        return ZkUri.of(hostAndPort(port()), chroot, settings.tick());
    }

    /**
     * Its address for {@code Coordinator.connect}, through a proxy in front of it.
     *
     * @param chroot the path below which the client works; this method does not create it
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

    /** The server's tick. A session lasts at least two ticks. */
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
        } finally {
            lock.unlock();
        }
    }

    /**
     * Starts the server again on the same port and data; stops it first if it runs. A session continues if its client
     * returns within its timeout, counted from now.
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
            running = Incarnation.start(settings);
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
     * Expires a session as if its client had been silent too long; its ephemeral nodes are deleted. The server does so
     * at once, in the order in which requests arrive, but after this has returned. An unknown session is ignored.
     *
     * @throws IllegalStateException while stopped
     */
    public void expire(long sessionId) {
        serving().expire(sessionId);
    }

    /**
     * Sets the sequence number of the next sequential child of this node, for tests of number overflow. The number can
     * only increase. Nothing may write to the node meanwhile.
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
     * What the server holds now. Tests use it to check that a client leaves nothing behind.
     *
     * @throws IllegalStateException while stopped
     */
    public Contents contents() {
        return serving().contents();
    }

    /**
     * Breaks a client's connection and keeps its session; the client reconnects by itself.
     *
     * @return false if that session has no connection at the moment
     * @throws IllegalStateException while stopped
     */
    public boolean closeConnection(long sessionId) {
        return serving().closeConnection(sessionId);
    }

    /**
     * The number of requests from clients since the first start, by ZooKeeper's name for their kind. Kinds are
     * {@code createSession}, {@code closeSession}, {@code ping}, {@code create}, {@code create2},
     * {@code createContainer}, {@code delete}, {@code exists}, {@code getData}, {@code setData}, {@code getChildren},
     * {@code getChildren2}, {@code multi} (counted once, whatever it holds), {@code sync} and so on. The map is a
     * snapshot.
     */
    public SortedMap<String, Long> requests() {
        return settings.requests().read();
    }

    /** The number of requests of this kind; {@link #requests()} lists the kinds. */
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

    /** Configures a server; {@link #start} starts it. */
    public static final class Builder {

        private Duration tickTime = Duration.ofMillis(200);
        private Duration maxSessionTimeout = Duration.ofMinutes(1);
        private Duration containerInterval = Duration.ofMinutes(1);
        private int port;
        private @Nullable Path data;

        private Builder() {}

        /** ZooKeeper's unit of time. A session lasts at least two ticks, and expires on a tick. Default 200 ms. */
        public Builder tickTime(Duration value) {
            tickTime = positive("tickTime", value);
            return this;
        }

        /** The longest timeout granted to a session; real servers grant 20 ticks. Default 1 min. */
        public Builder maxSessionTimeout(Duration value) {
            maxSessionTimeout = positive("maxSessionTimeout", value);
            return this;
        }

        /** How often the server removes empty containers. Default 1 min, as on a real server. */
        public Builder containerInterval(Duration value) {
            containerInterval = positive("containerInterval", value);
            return this;
        }

        /** The port to listen on; 0, the default, for any free port. */
        public Builder port(int value) {
            if (value < 0 || value > 65_535) {
                throw new IllegalArgumentException("no port: " + value);
            }
            port = value;
            return this;
        }

        /** A directory for the data, which stays. By default {@link #close} deletes the data's temporary directory. */
        public Builder data(Path value) {
            data = value;
            return this;
        }

        /**
         * Starts the server; it serves when this returns. An interrupt does not cut this short, and stays set.
         *
         * @throws UncheckedIOException if the port is taken or the data cannot be read or written
         */
        public LocalZooKeeper start() {
            Path directory = data;
            boolean own = directory == null;
            if (directory == null) {
                directory = Directories.temporary("zookeeper");
            }
            boolean started = false;
            try {
                LocalZooKeeper server = start(directory, own);
                started = true;
                return server;
            } catch (IOException broken) {
                throw new UncheckedIOException("cannot start ZooKeeper: " + broken.getMessage(), broken);
            } finally {
                if (own && !started) {
                    Directories.delete(directory);
                }
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
                    return new LocalZooKeeper(settings, own, Incarnation.start(settings));
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
