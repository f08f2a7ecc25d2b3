package io.baton.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.baton.cli.Captured;
import io.baton.cli.TestStore;
import io.baton.testkit.proxy.Loopback;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StatusCommandIT {

    private TestStore store;

    /** Starts what the tests run on. */
    TestStore start() {
        return TestStore.zookeeper();
    }

    /** What the server is by its own word. */
    String role() {
        return "standalone";
    }

    @BeforeAll
    void startServer() {
        store = start();
    }

    @AfterAll
    void stopServer() {
        store.close();
    }

    @Test
    void status_contact_tellsSessionServersAndClock() throws Exception {
        Captured run = status(store.uri("app"), "--json", "--ttl", "6s");
        JsonNode status = new ObjectMapper().readTree(run.out());

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(status.at("/store").asText()).isEqualTo(store.uri("app"));
        assertThat(status.at("/trouble").isNull()).isTrue();
        assertThat(status.at("/servers/0/serves").asBoolean()).isTrue();
        assertThat(status.at("/servers/0/role").asText()).isEqualTo(role());
        assertThat(status.at("/servers/0/version").asText()).matches("\\d+\\.\\d+\\.\\d+");
        assertThat(status.at("/servers/0/roundTripMicros").asLong()).isPositive();
        assertThat(status.at("/session/id").asText()).startsWith("0x");
        assertThat(status.at("/session/askedMillis").asLong()).isEqualTo(6_000);
        assertThat(status.at("/session/grantedMillis").asLong()).isEqualTo(6_000);
        assertThat(status.at("/session/marginMillis").asLong()).isEqualTo(110);
        assertThat(status.at("/session/proofEveryMillis").asLong()).isBetween(100L, 3_000L);
        // It is the same clock, read at another moment.
        long within = status.at("/clock/withinMillis").asLong();
        assertThat(status.at("/clock/aheadMillis").asLong()).isBetween(-within - 5, within + 5);
    }

    @Test
    void status_forPeople_isATableAndTheTimes() {
        Captured run = status(store.uri("app"));
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out())
                .startsWith(store.uri("app") + "\n\n  SERVER ")
                .containsPattern(
                        "(?m)^  127\\.0\\.0\\.1:\\d+ +serves +" + role() + " +\\d+\\.\\d+\\.\\d+ +\\d+\\.\\d ms$")
                .contains("  ttl       10 s granted, 10 s asked for; Baton needs ")
                .contains("  deadline  a hold is lost 9.8 s after the request of its last proof")
                .contains("  clock     the clock of ");
    }

    @Test
    void status_oneServerAway_saysWhyAndGoesOnWithTheOther() {
        String away = "127.0.0.1:" + Loopback.freePort();
        Captured run = status(store.uri("app").replace("://", "://" + away + ","));
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out())
                .containsPattern("(?m)^  " + away + " +no contact +- +- +-$")
                .contains("  " + away + " refuses connections; is the server running there?")
                .contains("  session   0x");
    }

    @Test
    void status_noContact_showsServersAndOneLine() {
        String away = "127.0.0.1:" + Loopback.freePort();
        String uri = store.uri("app").replaceFirst("://[^/]*", "://" + away);
        Captured run = status(uri, "--timeout", "1s");
        assertThat(run.status()).isEqualTo(69);
        assertThat(run.out()).contains("no contact", "  session  none");
        assertThat(run.err())
                .startsWith("baton: no contact with ")
                .contains(away)
                .hasLineCount(1);
    }

    private static Captured status(String uri, String... args) {
        List<String> line = new ArrayList<>(List.of("status", "--connect", uri));
        line.addAll(List.of(args));
        return Captured.run(line.toArray(String[]::new));
    }
}
