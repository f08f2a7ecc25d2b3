package io.baton.testkit.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.server.Directories;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.management.ObjectName;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LocalZooKeeperIT {

    private static final Duration SESSION = Duration.ofSeconds(10);

    @Test
    void uri_withAndWithoutChroot_tellsPortAndTick() {
        try (LocalZooKeeper server = LocalZooKeeper.builder()
                        .tickTime(Duration.ofMillis(250))
                        .start();
                TcpProxy proxy = TcpProxy.to(server.address())) {
            assertThat(server.uri()).isEqualTo("zk://127.0.0.1:" + server.port() + "?tick=250ms");
            assertThat(server.uri("a/b")).isEqualTo("zk://127.0.0.1:" + server.port() + "/a/b?tick=250ms");
            assertThat(server.uri(proxy, "/a")).isEqualTo("zk://127.0.0.1:" + proxy.port() + "/a?tick=250ms");
        }
    }

    @Test
    void restart_withinSession_keepsSessionAndEphemeralNode() throws Exception {
        try (LocalZooKeeper server = LocalZooKeeper.start();
                RawClient client = new RawClient(server.connectString(), SESSION)) {
            long session = client.sessionId();
            client.create("/mine", CreateMode.EPHEMERAL);

            server.stop();
            client.awaitState(KeeperState.Disconnected);
            assertThat(server.isRunning()).isFalse();
            assertThatThrownBy(() -> server.expire(session)).isInstanceOf(IllegalStateException.class);
            server.restart();
            client.awaitConnected();

            assertThat(client.sessionId()).isEqualTo(session);
            assertThat(client.zookeeper().exists("/mine", false).getEphemeralOwner())
                    .isEqualTo(session);
        }
    }

    @Test
    void restart_running_stopsFirst() throws Exception {
        try (LocalZooKeeper server = LocalZooKeeper.start();
                RawClient client = new RawClient(server.connectString(), SESSION)) {
            client.create("/kept", CreateMode.PERSISTENT);

            server.restart();
            client.awaitState(KeeperState.Disconnected);
            client.awaitConnected();

            assertThat(client.sees("/kept")).isTrue();
        }
    }

    @Test
    void expire_session_endsItAndItsNodes() throws Exception {
        try (LocalZooKeeper server = LocalZooKeeper.start();
                RawClient victim = new RawClient(server.connectString(), SESSION);
                RawClient other = new RawClient(server.connectString(), SESSION)) {
            victim.create("/mine", CreateMode.EPHEMERAL);

            server.expire(victim.sessionId());

            await().until(() -> !other.sees("/mine"));
            victim.awaitState(KeeperState.Expired);
            assertThat(other.wasDisturbed()).isFalse();
        }
    }

    @Test
    void closeConnection_session_goesOn() throws Exception {
        try (LocalZooKeeper server = LocalZooKeeper.start();
                RawClient client = new RawClient(server.connectString(), SESSION)) {
            long session = client.sessionId();
            client.create("/mine", CreateMode.EPHEMERAL);

            assertThat(server.closeConnection(session)).isTrue();
            client.awaitState(KeeperState.Disconnected);
            client.awaitConnected();

            assertThat(client.sessionId()).isEqualTo(session);
            assertThat(client.sees("/mine")).isTrue();
            assertThat(server.closeConnection(12345)).isFalse();
        }
    }

    @Test
    void requests_severalKinds_areCountedOnceEach() throws Exception {
        try (LocalZooKeeper server = LocalZooKeeper.start();
                RawClient client = new RawClient(server.connectString(), SESSION)) {
            var zookeeper = client.zookeeper();
            client.create("/a", CreateMode.PERSISTENT);
            client.create("/b", CreateMode.CONTAINER);
            zookeeper.getChildren("/a", false);
            zookeeper.getChildren("/a", false, null);
            zookeeper.getData("/a", false, null);
            zookeeper.multi(List.of(Op.check("/a", 0), Op.delete("/b", 0)));
            zookeeper.delete("/a", 0);

            assertThat(server.requests())
                    .containsEntry("createSession", 1L)
                    .containsEntry("create", 1L)
                    .containsEntry("createContainer", 1L)
                    .containsEntry("getChildren", 1L)
                    .containsEntry("getChildren2", 1L)
                    .containsEntry("getData", 1L)
                    .containsEntry("multi", 1L)
                    .containsEntry("delete", 1L);
            assertThat(server.requests("setData")).isZero();
        }
    }

    @Test
    void requests_idleClient_showPings() throws Exception {
        try (LocalZooKeeper server = LocalZooKeeper.start();
                RawClient client = new RawClient(server.connectString(), Duration.ofMillis(1200))) {
            await().until(() -> server.requests("ping") >= 2);
            assertThat(client.sees("/zookeeper")).isTrue();
        }
    }

    @Test
    void containerInterval_short_removesEmptiedContainer() throws Exception {
        try (LocalZooKeeper server = LocalZooKeeper.builder()
                        .containerInterval(Duration.ofMillis(50))
                        .start();
                RawClient client = new RawClient(server.connectString(), SESSION)) {
            client.create("/line", CreateMode.CONTAINER);
            client.create("/line/entry", CreateMode.EPHEMERAL);
            client.zookeeper().delete("/line/entry", -1);

            await().until(() -> !client.sees("/line"));
        }
    }

    @Test
    void start_manyConnections_allAreTaken() throws Exception {
        int connections = 70; // More than the 60 that a server takes from one host by default.
        List<Socket> open = new ArrayList<>();
        try (LocalZooKeeper server = LocalZooKeeper.start()) {
            for (int i = 0; i < connections; i++) {
                open.add(new Socket(server.address().getAddress(), server.port()));
            }
            try (RawClient client = new RawClient(server.connectString(), SESSION)) {
                assertThat(client.sees("/zookeeper")).isTrue();
            }
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    @Test
    void start_dataGiven_isKeptAndReadAgain(@TempDir Path data) throws Exception {
        try (LocalZooKeeper server = LocalZooKeeper.builder().data(data).start();
                RawClient client = new RawClient(server.connectString(), SESSION)) {
            client.create("/kept", CreateMode.PERSISTENT);
        }
        try (LocalZooKeeper server = LocalZooKeeper.builder().data(data).start();
                RawClient client = new RawClient(server.connectString(), SESSION)) {
            assertThat(client.sees("/kept")).isTrue();
        }
    }

    @Test
    void start_portTaken_saysSoAndLeavesNothing() throws Exception {
        Set<Path> before = directories();
        try (ServerSocket taken = new ServerSocket(0)) {
            assertThatThrownBy(() ->
                            LocalZooKeeper.builder().port(taken.getLocalPort()).start())
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("Address already in use");
        }
        assertThat(directories()).isEqualTo(before);
    }

    @Test
    void close_afterUse_leavesNothingBehind() throws Exception {
        Set<Path> directories = directories();
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream capture = new PrintStream(printed, true, StandardCharsets.UTF_8);
        int port;
        try (LocalZooKeeper server = LocalZooKeeper.start()) {
            System.setOut(capture);
            System.setErr(capture);
            port = server.port();
            try (RawClient client = new RawClient(server.connectString(), SESSION)) {
                client.create("/a", CreateMode.EPHEMERAL);
                assertThat(ManagementFactory.getPlatformMBeanServer()
                                .queryNames(new ObjectName("org.apache.ZooKeeperService:*"), null))
                        .isEmpty();
            }
            server.restart();
        } finally {
            System.setOut(out);
            System.setErr(err);
        }

        assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(directories()).isEqualTo(directories);
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getThreadGroup() != null
                        && thread.getThreadGroup().getName().equals("zookeeper-" + port));
        assertThatCode(() -> new ServerSocket(port).close()).doesNotThrowAnyException();
    }

    @Test
    void startAndClose_interrupted_leaveNothingBehindAndStayInterrupted() throws Exception {
        Set<Path> directories = directories();
        Set<Thread> threads = serverThreads();
        int port;

        Thread.currentThread().interrupt();
        try (LocalZooKeeper server = LocalZooKeeper.start()) {
            port = server.port();
            assertThat(Loopback.isOpen(port)).isTrue();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }

        assertThat(serverThreads()).isEqualTo(threads);
        assertThat(directories()).isEqualTo(directories);
        assertThatCode(() -> new ServerSocket(port).close()).doesNotThrowAnyException();
    }

    @Test
    void close_twice_refusesRestart() {
        LocalZooKeeper server = LocalZooKeeper.start();
        server.close();
        server.close();

        assertThatThrownBy(server::restart).isInstanceOf(IllegalStateException.class);
    }

    private static Set<Thread> serverThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getThreadGroup() != null
                        && thread.getThreadGroup().getName().startsWith("zookeeper-"))
                .collect(Collectors.toSet());
    }

    private static Set<Path> directories() throws IOException {
        try (var files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().startsWith(Directories.prefix("zookeeper")))
                    .collect(Collectors.toSet());
        }
    }
}
