package io.baton.zookeeper;

import io.baton.testkit.proxy.Loopback;
import io.baton.zookeeper.wire.ServerAddress;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server on a real port that is no ZooKeeper, or behaves as one that has its troubles. */
public final class FakeServer implements AutoCloseable {

    /** What it does with a connection, which then is closed. */
    interface Behaviour {
        void serve(Socket client) throws IOException;
    }

    private final ServerSocket socket;
    private final List<Socket> accepted = new CopyOnWriteArrayList<>();

    private FakeServer(Behaviour behaviour) {
        try {
            socket = new ServerSocket();
            socket.bind(Loopback.at(Loopback.freePort()));
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
        thread(() -> {
            while (true) {
                Socket client = socket.accept();
                accepted.add(client);
                thread(() -> {
                    try (client) {
                        behaviour.serve(client);
                    }
                });
            }
        });
    }

    /** Accepts, and never says a word. */
    public static FakeServer silent() {
        return new FakeServer(client -> client.getInputStream().transferTo(OutputStream.nullOutputStream()));
    }

    /** Ends each connection at once. */
    public static FakeServer hangingUp() {
        return new FakeServer(client -> {});
    }

    /** Waits for a line and complains of it, as HTTP servers do, and etcd. */
    public static FakeServer http() {
        return new FakeServer(client -> {
            int read = 0;
            while (read != '\n') {
                read = client.getInputStream().read();
                if (read < 0) {
                    return;
                }
            }
            answer(client, "HTTP/1.1 400 Bad Request\r\n\r\n");
        });
    }

    /** Ends connections that ask for a session, and answers a four-letter word so. */
    public static FakeServer answeringWords(String text) {
        return new FakeServer(client -> {
            String word = new String(client.getInputStream().readNBytes(4), StandardCharsets.ISO_8859_1);
            if (word.equals("srvr")) {
                answer(client, text);
            }
        });
    }

    /** Says this first, as servers of other protocols do. */
    public static FakeServer greeting(String text) {
        return new FakeServer(client -> {
            answer(client, text);
            client.getInputStream().transferTo(OutputStream.nullOutputStream());
        });
    }

    public int port() {
        return socket.getLocalPort();
    }

    public ServerAddress address() {
        return new ServerAddress("127.0.0.1", port());
    }

    @Override
    public void close() {
        try {
            socket.close();
            for (Socket client : accepted) {
                client.close();
            }
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void answer(Socket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void thread(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException closed) {
                        // By either side.
                    }
                },
                "fake-server");
        thread.setDaemon(true);
        thread.start();
    }
}
