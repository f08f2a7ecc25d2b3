package io.baton.cli.doctor;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.server.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.zookeeper.server.ZooKeeperServerMain;

/** A ZooKeeper server that is too old for Baton, in a process of its own. */
final class OldZooKeeper implements AutoCloseable {

    /** The build copies it there. */
    private static final Path JAR = Path.of("target", "old-zookeeper", "zookeeper.jar");

    private final int port = Loopback.freePort();
    private final Path log;
    private final Process process;

    private OldZooKeeper(Path directory) throws IOException {
        assertThat(JAR).as("run Maven's verify, which copies this jar").exists();
        ProcessBuilder builder = ChildProcess.small(
                OldZooKeeper.class,
                List.of("-Xmx96m", "-Dzookeeper.jmx.log4j.disable=true"),
                List.of(Integer.toString(port), directory.resolve("data").toString(), "200"));
        List<String> command = builder.command();
        int classPath = command.indexOf("-cp") + 1;
        // Its classes take the place of the newer ones behind them.
        command.set(classPath, JAR + File.pathSeparator + command.get(classPath));
        log = directory.resolve("zookeeper.log");
        process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    }

    /** Starts it; it serves when this returns. Its data and its output go to this directory. */
    static OldZooKeeper start(Path directory) throws IOException {
        OldZooKeeper server = new OldZooKeeper(directory);
        try {
            await().atMost(60, SECONDS)
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .until(server::serves);
            return server;
        } catch (Throwable failed) {
            server.close();
            throw failed;
        }
    }

    /** Its host and port. */
    String address() {
        return "127.0.0.1:" + port;
    }

    private boolean serves() throws IOException {
        assertThat(process.isAlive())
                .as(() -> "it has ended; its output: " + output())
                .isTrue();
        try (Socket socket = new Socket()) {
            // One that connects as the server starts may never be answered.
            socket.setSoTimeout(1_000);
            socket.connect(Loopback.at(port), 1_000);
            socket.getOutputStream().write("srvr".getBytes(US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), US_ASCII).contains("Mode: standalone");
        }
    }

    private String output() {
        try {
            return Files.readString(log);
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    /** Serves until killed, or until the JVM that has started it ends, which ends standard input. */
    public static void main(String[] args) throws IOException {
        Thread server = new Thread(() -> ZooKeeperServerMain.main(args), "server");
        server.setDaemon(true);
        server.start();
        System.in.readAllBytes();
        Runtime.getRuntime().halt(1);
    }
}
