package io.baton.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.cli.status.StoreStatus.Granted;
import io.baton.spi.inspect.ClockReading;
import io.baton.spi.inspect.ServerState;
import io.baton.spi.inspect.SessionTimings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StatusTextTest {

    private static final ServerState LEADER = new ServerState(
            "h1:2181",
            Optional.empty(),
            Optional.of("leader"),
            Optional.of("3.9.5"),
            Optional.of(Duration.ofNanos(412_345)));
    private static final ServerState AWAY = new ServerState(
            "h2:2181",
            Optional.of("h2:2181 refuses connections; is the server running there?"),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    private static final SessionTimings TIMES = new SessionTimings(
            Duration.ofSeconds(10),
            Duration.ofMillis(8_240),
            Duration.ofSeconds(2),
            Duration.ofMillis(150),
            Duration.ofMillis(2_300));
    private static final StoreStatus GOOD = new StoreStatus(
            "zk://h1:2181,h2:2181/app",
            Duration.ofSeconds(9),
            List.of(LEADER, AWAY),
            Optional.of(new ClockReading("the leader", Duration.ofMillis(-3), Duration.ofMillis(2))),
            Optional.of(new Granted("0x1", TIMES)),
            Optional.empty());
    private static final StoreStatus NONE = new StoreStatus(
            "zk://h2:2181/app",
            Duration.ofSeconds(9),
            List.of(AWAY),
            Optional.empty(),
            Optional.empty(),
            Optional.of("no contact"));

    @Test
    void lines_withASession_tellServersAndTimes() {
        assertThat(StatusText.lines(GOOD))
                .containsExactly(
                        "zk://h1:2181,h2:2181/app",
                        "",
                        "  SERVER   STATE       ROLE    VERSION  ROUND TRIP",
                        "  h1:2181  serves      leader  3.9.5    0.4 ms",
                        "  h2:2181  no contact  -       -        -",
                        "  h2:2181 refuses connections; is the server running there?",
                        "",
                        "  session   0x1",
                        "  ttl       10 s granted, 9 s asked for; Baton needs 8.2 s at least",
                        "  crash     what a silent client holds is free after 10 s to 12 s",
                        "  proofs    a holder proves every 2.3 s that its session is alive",
                        "  deadline  a hold is lost 9.8 s after the request of its last proof",
                        "  clock     the clock of the leader is 3 ms behind this machine's, give or take 2 ms");
    }

    @Test
    void lines_withoutContact_tellServersAlone() {
        assertThat(StatusText.lines(NONE)).contains("  session  none", "  clock    not known: the store does not tell");
    }

    @Test
    void json_always_isOneObject() {
        assertThat(StatusJson.of(GOOD))
                .isEqualTo("{\"store\":\"zk://h1:2181,h2:2181/app\",\"trouble\":null,\"servers\":["
                        + "{\"server\":\"h1:2181\",\"serves\":true,\"trouble\":null,\"role\":\"leader\","
                        + "\"version\":\"3.9.5\",\"roundTripMicros\":412},"
                        + "{\"server\":\"h2:2181\",\"serves\":false,\"trouble\":\"h2:2181 refuses connections; is the"
                        + " server running there?\",\"role\":null,\"version\":null,\"roundTripMicros\":null}],"
                        + "\"session\":{\"id\":\"0x1\",\"askedMillis\":9000,\"grantedMillis\":10000,"
                        + "\"shortestMillis\":8240,\"expiryLagMillis\":2000,\"marginMillis\":150,"
                        + "\"proofEveryMillis\":2300},"
                        + "\"clock\":{\"of\":\"the leader\",\"aheadMillis\":-3,\"withinMillis\":2}}");
        assertThat(StatusJson.of(NONE)).contains("\"trouble\":\"no contact\"", "\"session\":null,\"clock\":null");
    }
}
