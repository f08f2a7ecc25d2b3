package io.baton.testkit.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection through the proxy: two sockets, two lanes.
 *
 * <p>While the direction to the server is held, the proxy does not connect to it. The client's connection succeeds,
 * since the system accepts it, but receives no answer. If the client closes before the release, the proxy never
 * connects.
 */
final class ProxiedConnection {

    private static final long RETRY_NANOS = 10_000_000;

    private final ProxyLoop loop;
    private final NetworkState conditions;
    private final ProxyMeter meter;
    private final InetSocketAddress target;
    private final Consumer<ProxiedConnection> onEnd;
    private final Endpoint client;
    private final Lane up;
    private final Lane down;
    private @Nullable Endpoint server;
    private long firstRefusal;
    private boolean refused;
    private boolean connected;
    private boolean ended;

    ProxiedConnection(
            ProxyLoop loop,
            NetworkState conditions,
            ProxyMeter meter,
            SocketChannel accepted,
            InetSocketAddress target,
            Faults faults,
            @Nullable Framing framing,
            Consumer<ProxiedConnection> onEnd)
            throws IOException {
        this.loop = loop;
        this.conditions = conditions;
        this.meter = meter;
        this.target = target;
        this.onEnd = onEnd;
        Framing.Conversation conversation = framing == null ? null : framing.begin();
        this.up = new Lane(Direction.TO_SERVER, conditions, meter, loop, faults, conversation, this::step);
        this.down = new Lane(Direction.TO_CLIENT, conditions, meter, loop, faults, conversation, this::step);
        this.client = endpoint(accepted, SelectionKey.OP_READ, this::clientReady);
        meter.opened();
    }

    /** Does what the network's state allows now. */
    void step() {
        if (ended) {
            return;
        }
        if (server == null) {
            connect();
        } else if (connected) {
            forward(server);
        }
    }

    /** Closes both sides, in order or by {@code RST}. */
    void end(boolean reset) {
        if (!ended) {
            ended = true;
            client.close(reset);
            if (server != null) {
                server.close(reset);
            }
            meter.closed();
            onEnd.accept(this);
        }
    }

    private void connect() {
        if (conditions.held(Direction.TO_SERVER)) {
            return;
        }
        if (up.sourceEnded()) {
            // The client closed while the connection was held or refused.
            end(false);
            return;
        }
        try {
            SocketChannel channel = SocketChannel.open();
            server = endpoint(channel, SelectionKey.OP_CONNECT, this::serverReady);
            if (channel.connect(target)) {
                connected(server);
            }
        } catch (IOException | UnresolvedAddressException refusal) {
            refused();
        }
    }

    /**
     * Retries, or resets the client once patience has run out. The client is connected already, so it cannot be
     * refused.
     */
    private void refused() {
        long now = System.nanoTime();
        if (!refused) {
            refused = true;
            firstRefusal = now;
        }
        if (now - firstRefusal >= conditions.patienceNanos()) {
            end(true);
            return;
        }
        if (server != null) {
            server.close(true);
            server = null;
        }
        loop.at(now + RETRY_NANOS, this::step);
    }

    private void connected(Endpoint to) {
        connected = true;
        to.want(SelectionKey.OP_CONNECT, false);
        to.want(SelectionKey.OP_READ, true);
        forward(to);
    }

    private void clientReady(SelectionKey key) {
        if (!ended && key.isReadable()) {
            up.read(client);
        }
        step();
    }

    private void serverReady(SelectionKey key) {
        Endpoint to = server;
        if (ended || to == null) {
            return;
        }
        try {
            if (key.isConnectable() && to.channel().finishConnect()) {
                connected(to);
            }
        } catch (IOException refusal) {
            refused();
            return;
        }
        if (key.isValid() && key.isReadable()) {
            down.read(to);
        }
        step();
    }

    private void forward(Endpoint to) {
        Lane.Progress upward = up.write(to);
        if (endsWith(upward)) {
            return;
        }
        Lane.Progress downward = down.write(client);
        if (endsWith(downward)) {
            return;
        }
        if (upward == Lane.Progress.DONE && downward == Lane.Progress.DONE) {
            end(up.sinkBroken() || down.sinkBroken());
        } else {
            client.want(SelectionKey.OP_READ, up.wants());
            to.want(SelectionKey.OP_READ, down.wants());
        }
    }

    /** Ends the connection if the lane's result requires it. */
    private boolean endsWith(Lane.Progress progress) {
        if (progress != Lane.Progress.RESET && progress != Lane.Progress.END) {
            return false;
        }
        end(progress == Lane.Progress.RESET);
        up.struck();
        down.struck();
        return true;
    }

    private Endpoint endpoint(SocketChannel channel, int operation, ProxyLoop.Ready ready) throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return new Endpoint(channel, loop.register(channel, operation, ready));
    }
}
