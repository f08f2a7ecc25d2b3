package io.baton.etcd;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An etcd server of one member in a process of its own, that can be stopped, frozen and started again. */
final class EtcdServer implements AutoCloseable {

    private static final String BINARY = System.getProperty("baton.etcd", "etcd");

    private final Path data;
    private final int port = freePort();
    private final int peerPort = freePort();
    private final List<String> options;
    private Process process;

    private EtcdServer(Path data, List<String> options) {
        this.data = data;
        this.options = options;
        this.process = launch();
        awaitListening();
    }

    static EtcdServer start(Path data, String... options) {
        return new EtcdServer(data, List.of(options));
    }

    int port() {
        return port;
    }

    String uri(String root) {
        return "etcd://127.0.0.1:" + port + root;
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    void restart() {
        process = launch();
        awaitListening();
    }

    void freeze() {
        signal("STOP");
    }

    void thaw() {
        signal("CONT");
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }

    private void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        }
    }

    private Process launch() {
        boolean tls = options.contains("--cert-file");
        String scheme = tls ? "https" : "http";
        String url = scheme + "://127.0.0.1:" + port;
        String peer = "http://127.0.0.1:" + peerPort;
        var command = new ArrayList<>(List.of(
                BINARY,
                "--name",
                "one",
                "--data-dir",
                data.toString(),
                "--listen-client-urls",
                url,
                "--advertise-client-urls",
                url,
                "--listen-peer-urls",
                peer,
                "--initial-advertise-peer-urls",
                peer,
                "--initial-cluster",
                "one=" + peer,
                "--unsafe-no-fsync",
                "--log-level",
                "error"));
        command.addAll(options);
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            data.resolveSibling(data.getFileName() + ".log").toFile()))
                    .start();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void awaitListening() {
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return socket.isConnected();
            } catch (IOException notYet) {
                return false;
            }
        });
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
