package io.baton.testkit.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.Channel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy in front of one server, whose network can be made slow, silent or broken.
 *
 * <pre>{@code
 * try (TcpProxy proxy = TcpProxy.to(server.address())) {
 *     proxy.delay(Duration.ofMillis(50)); // each way
 *     proxy.hold(); // a black hole: nothing arrives, nothing is closed
 *     proxy.release(); // what was held arrives now
 *     proxy.cut(); // every connection is reset
 * }
 * }</pre>
 *
 * <p>With a {@link Framing}, it can also do so at a single message: see {@link Faults}.
 *
 * <p><b>Guarantees.</b> A command has taken effect when its method returns: after {@link #hold()}, no further byte is
 * forwarded. Bytes are never reordered. They are lost only by {@link #cut()}, {@link #close()} and faults.
 * {@link #close()} leaves no thread and no open port. If a {@link Framing} or a predicate of {@link Faults} throws, the
 * proxy ends as by {@link #close()}, and later commands fail with that cause.
 *
 * <p><b>Threads.</b> Any thread may call any method. One daemon thread does the work, and sleeps while idle.
 */
public final class TcpProxy implements AutoCloseable {

    private static final int BACKLOG = 1024;
    private static final Duration TAKEN = Duration.ofSeconds(10);
    private static final Duration RETRY = Duration.ofMillis(20);
    private static final int ATTEMPTS = 5;

    private final InetSocketAddress address;
    private final ProxyLoop loop;
    private final @Nullable Framing framing;
    private final Faults faults;
    private final NetworkState conditions = new NetworkState();
    private final ProxyMeter meter = new ProxyMeter();
    private final Set<ProxiedConnection> links = new LinkedHashSet<>();
    private volatile InetSocketAddress target;
    private @Nullable ServerSocketChannel listener;

    private TcpProxy(InetSocketAddress address, InetSocketAddress target, @Nullable Framing framing)
            throws IOException {
        this.loop = new ProxyLoop("tcp-proxy-" + address.getPort(), this::endAll);
        this.address = address;
        this.target = target;
        this.framing = framing;
        this.faults = new Faults(loop);
    }

    /**
     * Starts a proxy on a free port of loopback.
     *
     * @param target the server to connect to; need not run yet
     */
    public static TcpProxy to(InetSocketAddress target) {
        return anywhere(target, null);
    }

    /**
     * Starts a proxy on a free port of loopback that parses messages for {@link #faults}. It forwards whole messages
     * only.
     *
     * @param target the server to connect to; need not run yet
     */
    public static TcpProxy to(InetSocketAddress target, Framing framing) {
        return anywhere(target, framing);
    }

    /**
     * Starts a proxy on a given address.
     *
     * @param target the server to connect to; need not run yet
     * @throws UncheckedIOException if the proxy cannot listen on the address
     */
    public static TcpProxy between(InetSocketAddress address, InetSocketAddress target) {
        try {
            return open(address, target, null);
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot listen on " + address, broken);
        }
    }

    /** The address that clients connect to. */
    public InetSocketAddress address() {
        return address;
    }

    /** The port of {@link #address()}. */
    public int port() {
        return address.getPort();
    }

    /** The server that the proxy connects to. */
    public InetSocketAddress target() {
        return target;
    }

    /** Connects to another server from now on. Connections that are open stay where they are. */
    public void retarget(InetSocketAddress next) {
        target = next;
    }

    /** Delays bytes that arrive from now on, in each direction. A round trip takes twice as long. */
    public void delay(Duration eachWay) {
        delay(Direction.TO_SERVER, eachWay);
        delay(Direction.TO_CLIENT, eachWay);
    }

    /** Delays bytes that arrive from now on, in one direction. */
    public void delay(Direction direction, Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("a delay must not be negative: " + delay);
        }
        loop.call(() -> conditions.delay(direction, delay));
    }

    /**
     * How long to retry when the target refuses a connection; then the client is reset. Default zero. The client's own
     * connection is established before. Useful where a client would itself try again when refused, but not when reset.
     */
    public void patience(Duration patience) {
        if (patience.isNegative()) {
            throw new IllegalArgumentException("patience must not be negative: " + patience);
        }
        loop.call(() -> conditions.patience(patience));
    }

    /**
     * Turns the network into a black hole in both directions. Bytes, ends and resets of connections are kept until
     * {@link #release()}. New connections are accepted, since the system does so, but do not reach the server.
     */
    public void hold() {
        hold(Direction.TO_SERVER, Direction.TO_CLIENT);
    }

    /** Holds the given directions only. */
    public void hold(Direction... directions) {
        loop.call(() -> List.of(directions).forEach(conditions::hold));
    }

    /** Ends {@link #hold()} in both directions and forwards what was kept. */
    public void release() {
        release(Direction.TO_SERVER, Direction.TO_CLIENT);
    }

    /** Ends the hold of the given directions. */
    public void release(Direction... directions) {
        loop.call(() -> {
            List.of(directions).forEach(conditions::release);
            List.copyOf(links).forEach(ProxiedConnection::step);
        });
    }

    /** Resets every connection and drops the bytes under way. New connections are accepted. */
    public void cut() {
        loop.call(this::endLinks);
    }

    /** Stops listening: new connections are refused. Open connections stay. */
    public void refuse() {
        loop.call(this::stopListening);
    }

    /**
     * Ends {@link #refuse()}. Waits for some seconds if another process uses the port, as one does that looks for a free
     * port.
     *
     * @throws UncheckedIOException if it uses the port for longer
     */
    public void accept() {
        long end = System.nanoTime() + TAKEN.toNanos();
        while (true) {
            try {
                run(this::listenAgain);
                return;
            } catch (UncheckedIOException refused) {
                if (!(refused.getCause() instanceof BindException) || System.nanoTime() - end > 0) {
                    throw refused;
                }
                LockSupport.parkNanos(RETRY.toNanos());
            }
        }
    }

    private void listenAgain() throws IOException {
        if (listener == null) {
            listen();
        }
    }

    /**
     * Takes over an accepted connection as if it had been made to this proxy. If the proxy is closed, it closes the
     * connection.
     */
    public void take(SocketChannel accepted) {
        try {
            loop.call(() -> join(accepted));
        } catch (IllegalStateException closed) {
            closeQuietly(accepted);
        }
    }

    /**
     * The faults that strike at a message.
     *
     * @throws IllegalStateException if this proxy has no {@link Framing}
     */
    public Faults faults() {
        if (framing == null) {
            throw new IllegalStateException(
                    "this proxy does not know where messages begin: it was started without a framing");
        }
        return faults;
    }

    /** What passed through so far. */
    public Traffic traffic() {
        return meter.read();
    }

    /** Ends every connection and the proxy. Idempotent. */
    @Override
    public void close() {
        loop.stop();
    }

    @Override
    public String toString() {
        return "TcpProxy[" + address + " -> " + target + "]";
    }

    private static TcpProxy anywhere(InetSocketAddress target, @Nullable Framing framing) {
        try {
            return openAnywhere(target, framing);
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot listen on loopback", broken);
        }
    }

    private static TcpProxy openAnywhere(InetSocketAddress target, @Nullable Framing framing) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return open(Loopback.at(Loopback.freePort()), target, framing);
            } catch (BindException takenMeanwhile) {
                if (attempt == ATTEMPTS) {
                    throw takenMeanwhile;
                }
            }
        }
    }

    private static TcpProxy open(InetSocketAddress address, InetSocketAddress target, @Nullable Framing framing)
            throws IOException {
        TcpProxy proxy = new TcpProxy(address, target, framing);
        proxy.loop.start();
        try {
            proxy.run(proxy::listen);
        } catch (UncheckedIOException refused) {
            proxy.close();
            throw refused.getCause();
        }
        return proxy;
    }

    private void listen() throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.configureBlocking(false);
            channel.bind(address, BACKLOG);
            loop.register(channel, SelectionKey.OP_ACCEPT, key -> acceptAll(channel));
            listener = channel;
        } catch (IOException | RuntimeException refused) {
            channel.close();
            throw refused;
        }
    }

    private void stopListening() {
        if (listener != null) {
            closeQuietly(listener);
            listener = null;
        }
    }

    private void acceptAll(ServerSocketChannel from) {
        try {
            for (SocketChannel accepted = from.accept(); accepted != null; accepted = from.accept()) {
                join(accepted);
            }
        } catch (IOException goneAlready) {
            // The client has closed its connection already.
            return;
        }
    }

    private void join(SocketChannel accepted) {
        try {
            ProxiedConnection link =
                    new ProxiedConnection(loop, conditions, meter, accepted, target, faults, framing, links::remove);
            links.add(link);
            link.step();
        } catch (IOException goneAlready) {
            closeQuietly(accepted);
        } catch (RuntimeException | Error broken) {
            closeQuietly(accepted);
            throw broken;
        }
    }

    private void endAll() {
        stopListening();
        endLinks();
    }

    private void endLinks() {
        Consumer<ProxiedConnection> reset = link -> link.end(true);
        List.copyOf(links).forEach(reset);
    }

    private static void closeQuietly(Channel channel) {
        try {
            channel.close();
        } catch (IOException alreadyBroken) {
            // The listener is closed in any case.
            return;
        }
    }

    private interface Attempt {
        void run() throws IOException;
    }

    /** Runs the attempt on the loop, and rethrows what it throws. */
    private void run(Attempt attempt) {
        IOException[] failure = new IOException[1];
        loop.call(() -> {
            try {
                attempt.run();
            } catch (IOException broken) {
                failure[0] = broken;
            }
        });
        if (failure[0] != null) {
            throw new UncheckedIOException(failure[0]);
        }
    }
}
