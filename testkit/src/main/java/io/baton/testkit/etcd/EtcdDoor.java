package io.baton.testkit.etcd;

import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.proxy.TcpProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * The address at which other members find one. It passes each connection to the proxy between the connecting member and
 * this one.
 *
 * <p>All members use the same address for this one, so only the connection itself shows which member it comes from.
 */
final class EtcdDoor implements AutoCloseable {

    private final int port;
    private final ServerSocketChannel listener;
    private final IntFunction<Optional<TcpProxy>> way;
    private final Thread thread;

    /** Starts to listen; {@code way} returns the proxy for the member that connects from a port. */
    EtcdDoor(int port, IntFunction<Optional<TcpProxy>> way) {
        this.port = port;
        this.way = way;
        try {
            listener = listen(port);
        } catch (IOException taken) {
            throw new UncheckedIOException("cannot listen on port " + port, taken);
        }
        thread = new Thread(this::serve, "etcd-door-" + port);
        thread.setDaemon(true);
        thread.start();
    }

    private static ServerSocketChannel listen(int port) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            return channel.bind(Loopback.at(port));
        } catch (IOException taken) {
            channel.close();
            throw taken;
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
            thread.join();
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot close port " + port, broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve() {
        while (listener.isOpen()) {
            receive();
        }
    }

    private void receive() {
        try {
            lead(listener.accept());
        } catch (IOException goneAlready) {
            // The client has closed its connection, or the door is closed.
            return;
        }
    }

    private void lead(SocketChannel accepted) throws IOException {
        InetSocketAddress from = (InetSocketAddress) accepted.getRemoteAddress();
        Optional<TcpProxy> proxy = way.apply(from.getPort());
        if (proxy.isPresent()) {
            proxy.get().take(accepted);
        } else {
            accepted.close();
        }
    }
}
