package io.baton.zookeeper.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.testkit.zookeeper.LocalZooKeeper;
import io.baton.zookeeper.FakeServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a real server tells, and one that tells nothing. */
@Timeout(60)
class ServerQuestionsTest {

    private static LocalZooKeeper zookeeper;

    @BeforeAll
    static void start() {
        zookeeper = LocalZooKeeper.builder()
                .tickTime(Duration.ofMillis(200))
                .maxSessionTimeout(Duration.ofSeconds(7))
                .start();
        // The first answer may take longer than a question waits, on a machine that has much to do.
        await().atMost(Duration.ofSeconds(50))
                .until(() -> questions().word("srvr").isPresent());
    }

    @AfterAll
    static void stop() {
        zookeeper.close();
    }

    @Test
    void word_askedAServer_isItsAnswer() {
        assertThat(questions().word("srvr").orElseThrow()).contains("Mode: standalone");
    }

    @Test
    void granted_shortAndLongTimeouts_areTheServersLimits() {
        assertThat(questions().granted(Duration.ofMillis(1))).contains(Duration.ofMillis(400));
        assertThat(questions().granted(Duration.ofDays(9))).contains(Duration.ofSeconds(7));
    }

    @Test
    void granted_afterwards_leavesNoSession() {
        long before = zookeeper.requests("closeSession");
        var granted = questions().granted(Duration.ofSeconds(5));
        assertThat(granted).isPresent();
        assertThat(zookeeper.requests("closeSession")).isEqualTo(before + 1);
    }

    @Test
    void granted_answerTooLate_hasSentTheEndAlong() throws Exception {
        try (ServerSocket slow = new ServerSocket(0)) {
            var said = CompletableFuture.supplyAsync(() -> {
                try (Socket socket = slow.accept()) {
                    return socket.getInputStream().readAllBytes();
                } catch (IOException failed) {
                    throw new UncheckedIOException(failed);
                }
            });
            assertThat(questions("127.0.0.1:" + slow.getLocalPort()).granted(Duration.ofSeconds(5)))
                    .isEmpty();
            ByteBuffer packets = ByteBuffer.wrap(said.get(30, TimeUnit.SECONDS));
            packets.position(Integer.BYTES + packets.getInt());
            assertThat(packets.getInt()).as("length").isEqualTo(2 * Integer.BYTES);
            packets.getInt();
            assertThat(packets.getInt()).isEqualTo(OpCode.closeSession);
        }
    }

    @Test
    void packet_serverAsItComes_isTheUsualOne() {
        assertThat(questions().packet()).hasValue(ServerQuestions.USUAL_PACKET);
    }

    @Test
    void everyQuestion_serverThatHangsUp_hasNoAnswer() {
        try (FakeServer server = FakeServer.hangingUp()) {
            ServerQuestions questions = questions(server.address().toString());
            assertThat(questions.word("srvr")).isEmpty();
            assertThat(questions.packet()).isEmpty();
            assertThat(questions.granted(Duration.ofSeconds(5))).isEmpty();
            assertThat(questions.roundTrip()).isEmpty();
            assertThat(questions.trouble().orElseThrow().text()).contains("hangs up");
        }
    }

    @Test
    void roundTrip_askedAServer_isMeasured() {
        assertThat(questions().roundTrip().orElseThrow()).isPositive();
        assertThat(questions().trouble()).isEmpty();
    }

    private static ServerQuestions questions() {
        return questions(zookeeper.connectString());
    }

    private static ServerQuestions questions(String server) {
        return ServerQuestions.of(ZkAddress.parse(URI.create("zk://" + server)), Settings.NONE)
                .get(0);
    }
}
