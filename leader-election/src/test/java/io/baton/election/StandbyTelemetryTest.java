package io.baton.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.ElectionTelemetry.StandbyChange;
import io.baton.election.internal.line.ElectionLine;
import io.baton.election.internal.standby.StandbyMachine.Phase;
import io.baton.election.internal.standby.StandbyReport;
import io.baton.internal.client.DefaultCoordinator;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What telemetry and the log are told of nodes, on virtual time. */
class StandbyTelemetryTest {

    private final StandbyRig rig = new StandbyRig("standby-telemetry");
    private final KeptEvents kept = new KeptEvents();

    /** What was told of the node that listens, apart from its candidacy's terms. */
    private List<String> told() {
        return kept.events.stream()
                .filter(event -> !event.contains(" began") && !event.contains("stopping ") && !event.contains(" ended"))
                .toList();
    }

    private StandbyRig.Node listening(String id) {
        rig.rig.telemetry.add(kept);
        StandbyRig.Node node = rig.node(id);
        rig.rig.telemetry.clear();
        return node;
    }

    @Test
    void node_promotedAndClosed_reportsEachState() {
        StandbyRig.Node a = listening("a");
        rig.pass(Duration.ofSeconds(2));
        a.promoted();
        rig.pass(Duration.ofSeconds(5));
        a.standby.closeAsync();
        rig.pass(Duration.ofMillis(500));
        a.hands.at("demote").returns();

        assertThat(told())
                .containsExactly(
                        "a STANDBY after 0 ms",
                        "a healthy",
                        "a STARTING in a term after 0 ms",
                        "a ACTIVE in a term after 2 s",
                        "a STOPPING in a term after 5 s",
                        "a STANDBY after 500 ms",
                        "a CLOSED after 0 ms");
    }

    @Test
    void node_hasToFence_reportsEachAttemptAndNoStateBetween() {
        rig.active("a");
        StandbyRig.Node b = listening("b");
        rig.rig.store.expireSessions("a");
        rig.pass(Duration.ofSeconds(1));
        b.hands.at("fence").fails("no power switch");
        rig.pass(Duration.ofSeconds(1));
        b.hands.at("fence").returns();
        rig.pass(Duration.ofSeconds(1));

        List<String> told = told();
        assertThat(told.subList(0, 4))
                .containsExactly(
                        "b STANDBY after 0 ms",
                        "b healthy",
                        "b STARTING in a term after 0 ms",
                        "b FENCING in a term after 0 ms");
        assertThat(told.subList(4, 7))
                .satisfiesExactly(
                        event -> assertThat(event).isEqualTo("b fences a #1 FAILED 1 s"),
                        event -> assertThat(event).startsWith("b fences a #2 FENCED "),
                        event -> assertThat(event).startsWith("b STARTING in a term after "));
        assertThat(told).hasSize(7);
        assertThat(kept.fencing.get(0).failure()).contains("no power switch");
        assertThat(kept.fencing.get(0).fencedTerm()).isPositive();
        assertThat(kept.fencing.get(1).failure()).isEmpty();
    }

    @Test
    void fencer_overdueAndThenReturning_hasTimedOut() {
        rig.active("a");
        StandbyRig.Node b = listening("b");
        rig.rig.store.expireSessions("a");
        rig.pass(Duration.ofMillis(3_100));
        b.hands.at("fence").givesUp();

        assertThat(told()).last().isEqualTo("b fences a #1 TIMED_OUT 3.1 s");
    }

    @Test
    void fencer_neverReturning_isAbandonedAndTheNodeHasFailed() {
        rig.active("a");
        listening("b");
        rig.rig.store.expireSessions("a");
        rig.pass(Duration.ofSeconds(4));

        assertThat(told()).contains("b FAILED in a term after 3.2 s").containsOnlyOnce("b fences a #1 ABANDONED 3.2 s");
    }

    @Test
    void fencer_ofANodeThatIsClosed_isCancelled() {
        rig.active("a");
        StandbyRig.Node b = listening("b");
        rig.rig.store.expireSessions("a");
        rig.pass(Duration.ofMillis(500));
        b.standby.closeAsync();
        rig.pass(Duration.ofMillis(100));
        b.hands.at("fence").givesUp();

        assertThat(told())
                .endsWith(
                        "b STOPPING in a term after 500 ms",
                        "b fences a #1 CANCELLED 600 ms",
                        "b STANDBY after 100 ms",
                        "b CLOSED after 0 ms");
    }

    @Test
    void health_changes_areReportedOnce() {
        rig.rig.telemetry.add(kept);
        StandbyRig.Node a = rig.checked("a");
        rig.pass(Duration.ofSeconds(10));
        a.healthy = false;
        rig.pass(Duration.ofSeconds(10));
        a.healthy = true;
        rig.pass(Duration.ofSeconds(10));

        assertThat(told().stream().filter(event -> event.contains("health")))
                .containsExactly("a healthy", "a unhealthy", "a healthy");
    }

    /** A gauge of health depends on each of them. */
    @Test
    void health_changesBehindManyEvents_isNotDropped() {
        Deque<Runnable> callbacks = new ArrayDeque<>();
        rig.rig.telemetry.add(kept);
        ElectionLine line = ElectionLine.named(rig.rig.client("slow", callbacks::add), "boss");
        StandbyReport report = new StandbyReport(line, "n");
        report.health(false);
        for (int i = 0; i < 1_001; i++) {
            line.report(() -> to -> {});
        }
        report.health(true);
        while (!callbacks.isEmpty()) {
            callbacks.remove().run();
        }

        assertThat(kept.events).anyMatch(event -> event.startsWith("dropped "));
        assertThat(kept.events.stream().filter(event -> event.contains("health")))
                .containsExactly("n unhealthy", "n healthy");
    }

    // ---- what phases amount to

    @ParameterizedTest
    @EnumSource(Phase.class)
    void phase_any_agreesWithWhatTheNodeSays(Phase phase) {
        StandbyReport report = report(new KeptLines());
        report.started();
        report.phaseChanged(Phase.CLAIMING, 7);
        report.phaseChanged(phase, 7);
        rig.rig.loop.run();

        boolean active = kept.events.contains("n ACTIVE in a term after 0 ms");
        boolean standby = kept.events.get(kept.events.size() - 1).startsWith("n STANDBY");
        assertThat(active).isEqualTo(phase.shown() == ActiveStandby.State.ACTIVE);
        assertThat(standby).isEqualTo(phase.shown() == ActiveStandby.State.STANDBY);
        if (phase.shown() == ActiveStandby.State.DEMOTING) {
            assertThat(kept.events).last().asString().contains(StandbyChange.State.STOPPING.name());
        }
    }

    // ---- the log

    @Test
    void log_ofAnActiveOne_saysSinceWhen() {
        KeptLines log = new KeptLines();
        StandbyReport report = report(log);
        report.started();
        report.phaseChanged(Phase.READING, 7);
        rig.pass(Duration.ofSeconds(3));
        report.phaseChanged(Phase.ACTIVE, 7);

        assertThat(log.lines).containsExactly("INFO node 'n' of 'boss' is active, in term 7, 3 s after it was elected");
    }

    @Test
    void log_ofFencing_saysWhomAndHowItEnded() {
        KeptLines log = new KeptLines();
        StandbyReport report = report(log);
        Breadcrumb last = new Breadcrumb("old", "10.1.2.3:80", 6, "run", Optional.empty());
        report.fencingStarted(last, 1);
        report.fencerReturned(new IllegalStateException("no power switch"), false);
        report.fencingStarted(last, 2);
        rig.pass(Duration.ofMillis(1_500));
        report.fencerReturned(null, false);

        assertThat(log.lines)
                .containsExactly(
                        "WARN node 'n' of 'boss' fences " + last + ", attempt 1",
                        "WARN node 'n' of 'boss' fences " + last + ", attempt 2",
                        "INFO node 'n' of 'boss' has fenced " + last + ", in 1.5 s");
    }

    @Test
    void log_ofHealth_saysWhatFollowsFromIt() {
        KeptLines log = new KeptLines();
        StandbyReport report = report(log);
        report.health(true);
        report.health(false);
        report.health(true);

        assertThat(log.lines)
                .containsExactly(
                        "WARN node 'n' of 'boss' is not healthy, and does not stand for election until it is",
                        "INFO node 'n' of 'boss' is healthy again, and stands for election");
    }

    private StandbyReport report(KeptLines log) {
        rig.rig.telemetry.add(kept);
        DefaultCoordinator client = rig.rig.client("n");
        rig.rig.loop.run();
        return new StandbyReport(ElectionLine.named(client, StandbyRig.ELECTION), "n", log);
    }
}
