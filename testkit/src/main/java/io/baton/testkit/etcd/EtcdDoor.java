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
 * Where the other members find one: whoever connects is led through the proxy that lies between him and this member.
 *
 * <p>All members must know one by the same address, so only the connection itself tells who comes.
 */
final class EtcdDoor implements AutoCloseable {

    private final int port;
    private final ServerSocketChannel listener;
    private final IntFunction<Optional<TcpProxy>> way;
    private final Thread thread;

    /** Opens it; {@code way} gives the proxy for who connects from a port. */
    EtcdDoor(int port, IntFunction<Optional<TcpProxy>> way) {
        this.port = port;
        this.way = way;
        try {
            listener = ServerSocketChannel.open();
            listener.bind(Loopback.at(port));
        } catch (IOException taken) {
            throw new UncheckedIOException("cannot listen on port " + port, taken);
        }
        thread = new Thread(this::serve, "etcd-door-" + port);
        thread.setDaemon(true);
        thread.start();
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
            // Whoever wanted to connect no longer does, or the door is closed.
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
