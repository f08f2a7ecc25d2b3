package io.baton.micrometer;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.ElectionTelemetry.FencingAttempt;
import io.baton.ElectionTelemetry.FencingAttempt.Outcome;
import io.baton.ElectionTelemetry.HandOver;
import io.baton.ElectionTelemetry.HealthChange;
import io.baton.ElectionTelemetry.StandbyChange;
import io.baton.ElectionTelemetry.StandbyChange.State;
import io.baton.ElectionTelemetry.TermBegan;
import io.baton.ElectionTelemetry.TermEnded;
import io.baton.ElectionTelemetry.TermEnded.Reason;
import io.baton.ElectionTelemetry.TermLate;
import io.baton.ElectionTelemetry.TermStopping;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The metrics of elections and of nodes. */
class ElectionMetersTest {

    private static final Instant AT = Instant.EPOCH;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MicrometerTelemetry telemetry = MicrometerTelemetry.builder(registry)
            .maxLocks(2)
            .tags(Tags.of("app", "shop"))
            .build();

    @Test
    void leading_fromTheBeginningToTheStop_isOne() {
        begin("boss", "a");
        assertThat(gauge("baton.election.leading")).isEqualTo(1);
        telemetry.termStopping(new TermStopping(AT, "boss", "a", 7, Reason.LOST, Duration.ZERO));
        assertThat(gauge("baton.election.leading")).isZero();
        begin("boss", "b");
        end("a", Reason.LOST, SECOND);
        assertThat(gauge("baton.election.leading")).isEqualTo(1);
        end("b", Reason.RETURNED, Duration.ZERO);

        assertThat(gauge("baton.election.leading")).isZero();
        assertThat(registry.get("baton.election.terms").counter().count()).isEqualTo(2);
    }

    @Test
    void terms_ended_haveTheirDurationsByReason() {
        end("a", Reason.LOST, SECOND);
        end("a", Reason.LOST, SECOND.multipliedBy(3));
        end("a", Reason.THREW, Duration.ZERO);
        end("a", Reason.RETURNED, Duration.ZERO);
        telemetry.termLate(new TermLate(AT, "boss", "a", 7, Reason.LOST, SECOND));

        assertThat(registry.get("baton.election.stop.duration").timers())
                .singleElement()
                .satisfies(stops -> {
                    assertThat(stops.getId().getTag("reason")).isEqualTo("lost");
                    assertThat(stops.count()).isEqualTo(2);
                    assertThat(stops.totalTime(MILLISECONDS)).isEqualTo(4_000);
                });
        assertThat(registry.get("baton.election.term.duration").timers())
                .extracting(timer -> timer.getId().getTag("reason"))
                .containsExactlyInAnyOrder("lost", "threw", "returned");
        assertThat(registry.get("baton.election.late").counter().count()).isEqualTo(1);
    }

    @Test
    void handOvers_areCountedByPhase() {
        telemetry.handOver(new HandOver(AT, "boss", "a", "b", HandOver.Phase.STARTED, Duration.ZERO, ""));
        telemetry.handOver(new HandOver(AT, "boss", "a", "b", HandOver.Phase.DONE, SECOND, ""));

        assertThat(registry.get("baton.election.handovers")
                        .tag("phase", "done")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void node_changes_showsInOneStateAndInNoneOnceClosed() {
        change("n", State.STANDBY);
        change("n", State.FENCING);
        assertThat(state("standby")).isZero();
        assertThat(state("fencing")).isEqualTo(1);
        change("n", State.CLOSED);

        assertThat(registry.get("baton.standby.state").gauges()).allMatch(gauge -> gauge.value() == 0);
        assertThat(registry.get("baton.standby.changes")
                        .tag("state", "fencing")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void node_unhealthy_showsUntilItIsHealthyOrClosed() {
        change("n", State.STANDBY);
        assertThat(gauge("baton.standby.unhealthy")).isZero();
        telemetry.health(new HealthChange(AT, "boss", "n", false));
        assertThat(gauge("baton.standby.unhealthy")).isEqualTo(1);
        telemetry.health(new HealthChange(AT, "boss", "n", true));
        assertThat(gauge("baton.standby.unhealthy")).isZero();
        telemetry.health(new HealthChange(AT, "boss", "n", false));
        change("n", State.CLOSED);

        assertThat(gauge("baton.standby.unhealthy")).isZero();
    }

    @Test
    void fencing_isTimedByOutcome() {
        telemetry.fencing(new FencingAttempt(AT, "boss", "n", "old", 6, 1, Outcome.TIMED_OUT, SECOND, "late"));
        telemetry.fencing(new FencingAttempt(AT, "boss", "n", "old", 6, 2, Outcome.FENCED, SECOND, ""));

        assertThat(registry.get("baton.standby.fencing").timers())
                .extracting(timer -> timer.getId().getTag("outcome"))
                .containsExactlyInAnyOrder("timed_out", "fenced");
    }

    @Test
    void electionTag_manyElections_isBounded() {
        for (int i = 0; i < 50; i++) {
            begin("boss-" + i, "a");
            telemetry.standby(new StandbyChange(AT, "boss-" + i, "n", State.ACTIVE, 7, SECOND));
        }

        assertThat(registry.getMeters().stream()
                        .map(meter -> meter.getId().getTag("election"))
                        .filter(tag -> tag != null)
                        .collect(Collectors.toSet()))
                .containsExactlyInAnyOrder("boss-0", "boss-1", LockTags.OTHER);
        assertThat(registry.get("baton.election.leading")
                        .tag("election", LockTags.OTHER)
                        .gauge()
                        .value())
                .isEqualTo(48);
        assertThat(registry.get("baton.standby.state")
                        .tags("election", LockTags.OTHER, "state", "active")
                        .gauge()
                        .value())
                .isEqualTo(48);
        assertThat(registry.getMeters())
                .extracting(Meter::getId)
                .filteredOn(id -> id.getTag("election") != null)
                .allSatisfy(id -> assertThat(id.getTag("app")).isEqualTo("shop"));
    }

    private void begin(String election, String candidate) {
        telemetry.termBegan(new TermBegan(AT, election, candidate, 7, SECOND));
    }

    private void end(String candidate, Reason reason, Duration stopTook) {
        telemetry.termEnded(
                new TermEnded(AT, "boss", candidate, 7, reason, SECOND.multipliedBy(9), stopTook, false, false, ""));
    }

    private void change(String node, State state) {
        telemetry.standby(new StandbyChange(AT, "boss", node, state, 7, SECOND));
    }

    private double state(String state) {
        return registry.get("baton.standby.state").tag("state", state).gauge().value();
    }

    private double gauge(String name) {
        return registry.get(name).tag("election", "boss").gauge().value();
    }
}
