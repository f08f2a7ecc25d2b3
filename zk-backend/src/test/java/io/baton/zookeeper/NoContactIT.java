package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.StoreUnavailableException;
import io.baton.spi.EventLoop;
import io.baton.spi.Link;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import io.baton.testkit.zookeeper.ZooKeeperEnsemble;
import io.baton.zookeeper.wire.Settings;
import io.baton.zookeeper.wire.ZkAddress;
import java.io.File;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Why there is no contact, as users are told: at a first contact that fails, and in the midst of a session. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
class NoContactIT {

    private static final Duration LONG = Duration.ofSeconds(60);

    @Test
    void connect_unknownHost_saysSo() {
        assertConnectSays(
                "zk://no-such-host.invalid:2181/app", "no-such-host.invalid:2181 is no host that is known here");
    }

    @Test
    void connect_refusedPort_saysSo() {
        int port = Loopback.freePort();

        assertConnectSays(
                "zk://127.0.0.1:" + port + "/app", ":" + port + " refuses connections; is the server running");
    }

    @Test
    void connect_silentPort_saysSo() {
        try (FakeServer server = FakeServer.silent()) {
            assertConnectSays("zk://" + server.address() + "/app", "accepts connections and does not answer");
        }
    }

    @Test
    void connect_portOfSomethingElse_saysSoInsteadOfTimingOut() {
        try (FakeServer server = FakeServer.http()) {
            CoordinatorOptions patient = CoordinatorOptions.builder()
                    .connectTimeout(Duration.ofMinutes(2))
                    .build();

            assertThatThrownBy(() -> Coordinator.connect("zk://" + server.address() + "/app", patient))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("cannot connect to zk://" + server.address() + "/app")
                    .hasMessageContaining("does not speak ZooKeeper's protocol");
        }
    }

    @Test
    void connect_severalServers_saysWhatIsWrongWithEach() {
        int port = Loopback.freePort();
        assertThatThrownBy(
                        () -> Coordinator.connect("zk://no-such-host.invalid,127.0.0.1:" + port + "/app", impatient()))
                .hasMessageContaining("no-such-host.invalid:2181 is no host")
                .hasMessageContaining(":" + port + " refuses");
    }

    @Test
    void connect_ensembleWithoutQuorum_asksForTheQuorum() throws Exception {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start()) {
            ensemble.kill(1);
            ensemble.kill(2);

            assertConnectSays(ensemble.uriOf(3), "127.0.0.1:" + ensemble.clientPort(3) + " ", "is there a quorum");
        }
    }

    @Test
    void session_outOfContact_saysWhyUntilThereIsContactAgain() throws Exception {
        try (LocalZooKeeper server = LocalZooKeeper.start();
                Opened opened = new Opened(server.uri("app"))) {
            await().atMost(LONG).until(() -> opened.session.link() == Link.CONNECTED);
            assertThat(opened.session.trouble()).isEmpty();

            server.stop();
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(opened.session.trouble().orElse("nothing"))
                            .contains("127.0.0.1:" + server.port() + " refuses connections"));
            server.restart();

            await().atMost(LONG).until(() -> opened.session.link() == Link.CONNECTED);
            assertThat(opened.session.trouble()).isEmpty();
        }
    }

    /** What a user with a plain logging set-up sees: no stack, and certainly not one for each attempt. */
    @Test
    void connect_unknownHostAndRefusedPort_logsNoStack() throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process process = new ProcessBuilder(
                        java.toString(),
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                        "-cp",
                        System.getProperty("java.class.path")
                                + File.pathSeparator
                                + System.getProperty("surefire.test.class.path", ""),
                        Connecting.class.getName(),
                        "zk://no-such-host.invalid:2181,127.0.0.1:" + Loopback.freePort() + "/app")
                .redirectErrorStream(true)
                .start();

        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(told)
                .contains("Initiating client connection", "told: no contact with")
                .doesNotContain("\tat ");
    }

    /** Connects in a process of its own. */
    static final class Connecting {

        private Connecting() {}

        public static void main(String[] args) throws InterruptedException {
            try {
                Coordinator.connect(args[0], impatient()).close();
            } catch (CoordinationException failed) {
                System.out.println("told: " + failed.getMessage());
            }
        }
    }

    private static void assertConnectSays(String uri, String... texts) {
        assertThatThrownBy(() -> Coordinator.connect(uri, impatient()))
                .isInstanceOf(StoreUnavailableException.class)
                .satisfies(failed -> assertThat(failed.getMessage()).contains(texts));
    }

    private static CoordinatorOptions impatient() {
        return CoordinatorOptions.builder()
                .connectTimeout(Duration.ofSeconds(8))
                .build();
    }

    /** A session on a loop of its own. */
    private static final class Opened implements AutoCloseable, SessionListener {

        final EventLoop loop = new EventLoop("no-contact");
        final Session session;

        Opened(String uri) throws Exception {
            var store = ZkStore.at(ZkAddress.parse(URI.create(uri)), Settings.NONE);
            var spec = new SessionSpec(Duration.ofSeconds(4), "test");
            var opening = new CompletableFuture<Session>();
            loop.execute(() -> opening.complete(store.open(spec, loop, this)));
            session = opening.get();
        }

        @Override
        public void connected() {}

        @Override
        public void suspended() {}

        @Override
        public void proven() {}

        @Override
        public void lost(CoordinationException why) {}

        @Override
        public void close() {
            loop.close();
        }
    }
}
