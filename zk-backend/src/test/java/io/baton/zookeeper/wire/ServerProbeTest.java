package io.baton.zookeeper.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import io.baton.zookeeper.FakeServer;
import io.baton.zookeeper.wire.Diagnosis.Kind;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What each kind of server is told as, on real sockets. */
@Timeout(60)
class ServerProbeTest {

    @Test
    void ask_unknownHost_saysSo() {
        assertSays(new ServerAddress("no-such-host.invalid", 2181), Kind.AWAY, "is no host that is known here");
    }

    @Test
    void ask_refusedPort_asksWhetherTheServerRuns() {
        assertSays(
                new ServerAddress("127.0.0.1", Loopback.freePort()),
                Kind.AWAY,
                "refuses connections; is the server running there?");
    }

    @Test
    void ask_silentServer_saysThatItDoesNotAnswer() {
        try (FakeServer server = FakeServer.silent()) {
            assertSays(server.address(), Kind.AWAY, "accepts connections and does not answer");
        }
    }

    @Test
    void ask_http_isNoZooKeeper() {
        try (FakeServer server = FakeServer.http()) {
            assertSays(
                    server.address(),
                    Kind.WRONG,
                    "does not speak ZooKeeper's protocol; is this ZooKeeper's port for clients?");
        }
    }

    @Test
    void ask_answerOfAnotherProtocol_isNoZooKeeper() {
        try (FakeServer server = FakeServer.greeting("220 mail.example.org ESMTP\r\n")) {
            assertSays(server.address(), Kind.WRONG, "does not speak ZooKeeper's protocol");
        }
    }

    @Test
    void ask_serverThatHangsUp_asksForThePortAndTheQuorum() {
        try (FakeServer server = FakeServer.hangingUp()) {
            assertSays(server.address(), Kind.HANGS_UP, "hangs up; is it ZooKeeper's port for clients");
        }
    }

    @Test
    void ask_zooKeeperThatDoesNotServe_asksForTheQuorum() {
        try (FakeServer server =
                FakeServer.answeringWords("This ZooKeeper instance is not currently serving requests\n")) {
            assertSays(server.address(), Kind.AILING, "does not serve now; is there a quorum of its ensemble?");
        }
    }

    @Test
    void ask_zooKeeperThatMayNotAnswerWords_isKnownAllTheSame() {
        try (FakeServer server =
                FakeServer.answeringWords("srvr is not executed because it is not in the whitelist.\n")) {
            assertSays(server.address(), Kind.AILING, "is a ZooKeeper that takes no session; is there a quorum");
        }
    }

    @Test
    void ask_zooKeeperThatServes_findsNothingWrongAndMakesNoSession() {
        try (LocalZooKeeper server = LocalZooKeeper.start()) {
            var address = new ServerAddress("127.0.0.1", server.port());

            assertThat(new ServerProbe(address, Optional.empty(), false).ask()).isEmpty();

            assertThat(server.requests()).isEmpty();
        }
    }

    /** Words and other protocols are rubbish to a ZooKeeper, which logs an error for them. */
    @Test
    void ask_serverThatWasAZooKeeper_isNotAskedWhetherItIsSomethingElse() {
        try (FakeServer server = FakeServer.http()) {
            assertThat(new ServerProbe(server.address(), Optional.empty(), true).ask())
                    .hasValueSatisfying(said -> assertThat(said.kind()).isEqualTo(Kind.AWAY));
        }
    }

    private static void assertSays(ServerAddress server, Kind kind, String text) {
        assertThat(new ServerProbe(server, Optional.empty(), false).ask()).hasValueSatisfying(said -> {
            assertThat(said.text()).startsWith(server + " ").contains(text);
            assertThat(said.kind()).isEqualTo(kind);
        });
    }
}
