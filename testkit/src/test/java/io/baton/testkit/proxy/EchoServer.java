package io.baton.testkit.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Sends back what it gets, on every connection, until its end. */
final class EchoServer implements AutoCloseable {

    private final ServerSocket listener = new ServerSocket(0, 50, Loopback.at(0).getAddress());
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicLong received = new AtomicLong();

    EchoServer() throws IOException {
        daemon(this::acceptAll);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    int accepted() {
        return accepted.get();
    }

    int ended() {
        return ended.get();
    }

    long received() {
        return received.get();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket socket = listener.accept();
                socket.setTcpNoDelay(true);
                sockets.add(socket);
                accepted.incrementAndGet();
                daemon(() -> echo(socket));
            }
        } catch (IOException closed) {
            sockets.forEach(EchoServer::end);
        }
    }

    private void echo(Socket socket) {
        byte[] buffer = new byte[8192];
        try (socket) {
            for (int n = socket.getInputStream().read(buffer);
                    n >= 0;
                    n = socket.getInputStream().read(buffer)) {
                received.addAndGet(n);
                socket.getOutputStream().write(buffer, 0, n);
            }
        } catch (IOException reset) {
            end(socket);
        } finally {
            ended.incrementAndGet();
        }
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "echo");
        thread.setDaemon(true);
        thread.start();
    }
}
