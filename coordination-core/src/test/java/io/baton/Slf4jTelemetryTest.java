package io.baton;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Telemetry.NotGranted.Reason;
import io.baton.Telemetry.Request.Kind;
import io.baton.Telemetry.Request.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class Slf4jTelemetryTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration SHORT = Duration.ofMillis(1_500);
    private static final Duration LONG = Duration.ofSeconds(40);

    private final KeptLog log = new KeptLog();
    private final Slf4jTelemetry telemetry =
            Slf4jTelemetry.builder().logger(log).build();
    private Instant now = START;

    private List<String> lines() {
        return log.events.stream()
                .map(event -> event.getLevel() + " " + event.getMessage())
                .toList();
    }

    private void lose(String lock) {
        telemetry.lost(new Telemetry.Lost(now, lock, 7, SHORT, "expired"));
    }

    @Test
    void lost_always_isAnErrorThatReadsWellAndHasItsParts() {
        lose("orders");

        assertThat(lines())
                .containsExactly("ERROR Lost lock 'orders' with token 7 after holding it for 1.5 s: expired");
        assertThat(log.events.get(0).getKeyValuePairs())
                .containsExactly(
                        new KeyValuePair("lock", "orders"),
                        new KeyValuePair("token", 7L),
                        new KeyValuePair("seconds", 1.5));
    }

    @Test
    void lockLife_ordinary_isNotWorthALine() {
        telemetry.waiting(new Telemetry.Waiting(now, "orders", SHORT));
        telemetry.granted(new Telemetry.Granted(now, "orders", 7, SHORT));
        telemetry.jeopardy(new Telemetry.Jeopardy(now, "orders", 7, SHORT));
        telemetry.steady(new Telemetry.Steady(now, "orders", 7, SHORT));
        telemetry.released(new Telemetry.Released(now, "orders", 7, LONG));
        telemetry.handedOff(new Telemetry.HandedOff(now, "orders", 7, SHORT));
        for (Reason reason : List.of(Reason.TAKEN, Reason.TIMED_OUT, Reason.CANCELLED, Reason.CLOSED)) {
            telemetry.notGranted(new Telemetry.NotGranted(now, "orders", reason, SHORT, ""));
        }
        telemetry.request(new Telemetry.Request(now, Kind.READ, Outcome.OK, SHORT));
        telemetry.request(new Telemetry.Request(now, Kind.READ, Outcome.REFUSED, SHORT));

        assertThat(lines()).isEmpty();
    }

    @Test
    void wait_long_isWorthALine() {
        telemetry.waiting(new Telemetry.Waiting(now, "orders", LONG));
        telemetry.granted(new Telemetry.Granted(now, "orders", 7, LONG));
        telemetry.notGranted(new Telemetry.NotGranted(now, "orders", Reason.TIMED_OUT, LONG, ""));

        assertThat(lines())
                .containsExactly(
                        "WARN Has waited for lock 'orders' for 40 s, and still does",
                        "INFO Got lock 'orders' with token 7 after 40 s",
                        "WARN Waited in vain for lock 'orders' for 40 s");
    }

    @Test
    void trouble_always_isWorthALine() {
        telemetry.steady(new Telemetry.Steady(now, "orders", 7, LONG));
        telemetry.notGranted(new Telemetry.NotGranted(now, "orders", Reason.FAILED, SHORT, "removed"));
        telemetry.rejoined(new Telemetry.Rejoined(now, "orders", SHORT, "expired"));
        telemetry.session(new Telemetry.SessionChange(now, "0x1", SessionState.SUSPENDED, SHORT, ""));
        telemetry.session(new Telemetry.SessionChange(now, "0x1", SessionState.LOST, SHORT, "expired"));
        telemetry.session(new Telemetry.SessionChange(now, "0x2", SessionState.CONNECTED, SHORT, ""));
        telemetry.request(new Telemetry.Request(now, Kind.COMMIT, Outcome.UNANSWERED, SHORT));
        telemetry.dropped(new Telemetry.Dropped(now, 3));

        assertThat(lines())
                .containsExactly(
                        "WARN After 40 s in jeopardy, lock 'orders' with token 7 is steady again",
                        "WARN Did not get lock 'orders', after 1.5 s: removed",
                        "WARN Lost its place in the line of lock 'orders' and joins again, at the end: expired",
                        "INFO Out of contact with the store after 1.5 s",
                        "WARN The session is lost after 1.5 s: expired",
                        "INFO In contact with the store after 1.5 s",
                        "WARN A COMMIT request to the store was not answered within 1.5 s",
                        "WARN Fell behind, and has missed 3 events");
    }

    @Test
    void flood_ofOneKind_isLimitedAndTheRestCounted() {
        for (int i = 0; i < 100; i++) {
            lose("orders");
        }
        assertThat(lines()).hasSize(20);
        telemetry.dropped(new Telemetry.Dropped(now, 3));
        assertThat(lines()).hasSize(21);

        now = now.plusSeconds(10);
        lose("orders");

        assertThat(lines()).hasSize(22).last().asString().endsWith("(80 lines like this were kept back before)");
    }

    @Test
    void flood_clockSetBack_isNotSilentUntilItHasCaughtUp() {
        for (int i = 0; i < 20; i++) {
            lose("orders");
        }

        now = START.minusSeconds(3_600);
        lose("orders");

        assertThat(lines()).hasSize(21);
    }

    @Test
    void names_withLineEnds_beginNoLineOfTheirOwn() {
        lose("orders\nERROR all is lost");

        assertThat(lines()).first().asString().contains("'orders?ERROR all is lost'");
    }

    @Test
    void levelOff_always_writesNothing() {
        log.on = false;

        lose("orders");

        assertThat(lines()).isEmpty();
    }
}
