package io.baton.zookeeper.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.testkit.proxy.Loopback;
import io.baton.zookeeper.FakeServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which servers a handle is given to connect to. */
@Timeout(60)
class ServerRotationTest {

    private static final long PAUSE = 20;

    @Test
    void next_unknownHostAndRefusedPort_areNeverGiven() {
        try (FakeServer server = FakeServer.silent()) {
            var servers = rotation(
                    "no-such-host.invalid:2181,127.0.0.1:" + Loopback.freePort() + ",127.0.0.1:" + server.port());

            for (int i = 0; i < 5; i++) {
                assertThat(servers.next(PAUSE)).isEqualTo(new InetSocketAddress("127.0.0.1", server.port()));
            }
        }
    }

    @Test
    void next_serverComesLater_isGivenThen() throws Exception {
        int port = Loopback.freePort();
        var servers = rotation("127.0.0.1:" + port);
        CompletableFuture<InetSocketAddress> next = CompletableFuture.supplyAsync(() -> servers.next(PAUSE));
        awaitWaiting(next);

        try (ServerSocket server = listen(port)) {
            assertThat(next.get().getPort()).isEqualTo(server.getLocalPort());
        }
    }

    /** A client that moves to another server connects once, as ever. */
    @Test
    void next_afterContact_givesEachServerOnceWithoutALook() {
        int away = Loopback.freePort();
        try (FakeServer server = FakeServer.silent()) {
            var servers = rotation("127.0.0.1:" + away + ",127.0.0.1:" + server.port());
            servers.next(PAUSE);
            servers.onConnected();

            List<Integer> given = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                given.add(servers.next(PAUSE).getPort());
            }

            assertThat(given).containsExactly(away, server.port(), server.port(), server.port());
        }
    }

    @Test
    void next_sameServerAgain_comesAfterAPause() {
        try (FakeServer server = FakeServer.silent()) {
            var servers = rotation("127.0.0.1:" + server.port());
            servers.next(PAUSE);
            servers.onConnected();
            long begin = System.nanoTime();

            servers.next(10 * PAUSE);

            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .isGreaterThanOrEqualTo(Duration.ofMillis(10 * PAUSE));
        }
    }

    @Test
    void close_noServerInReach_endsTheWaiting() {
        var servers = rotation("127.0.0.1:" + Loopback.freePort());
        CompletableFuture<InetSocketAddress> next = CompletableFuture.supplyAsync(() -> servers.next(3_600_000));
        awaitWaiting(next);

        servers.close();

        assertThatThrownBy(next::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void next_noContactForLongerThanASessionLives_givesTheServerOfTheLastContact() {
        int port;
        ServerRotation servers;
        try (FakeServer server = FakeServer.silent()) {
            port = server.port();
            servers = new ServerRotation("127.0.0.1:" + port, Duration.ofMillis(300), System::nanoTime);
            servers.next(PAUSE);
            servers.onConnected();
        }
        servers.next(PAUSE); // without a look
        long begin = System.nanoTime();

        assertThat(servers.next(PAUSE).getPort()).isEqualTo(port);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(400));
    }

    private static ServerRotation rotation(String hosts) {
        return new ServerRotation(hosts, Duration.ofHours(1), System::nanoTime);
    }

    private static void awaitWaiting(CompletableFuture<?> next) {
        await().during(Duration.ofMillis(200)).until(() -> !next.isDone());
    }

    private static ServerSocket listen(int port) throws IOException {
        var server = new ServerSocket();
        server.bind(Loopback.at(port));
        return server;
    }
}
