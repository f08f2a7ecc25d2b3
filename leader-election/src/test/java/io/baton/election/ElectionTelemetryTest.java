package io.baton.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.ElectionTelemetry.HealthChange;
import io.baton.ElectionTelemetry.TermBegan;
import io.baton.ElectionTelemetry.TermEnded.Reason;
import io.baton.election.internal.line.ElectionLine;
import io.baton.election.internal.term.Term;
import io.baton.election.internal.term.TermReport;
import io.baton.internal.client.DefaultCoordinator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What telemetry is told of candidates, on virtual time. */
class ElectionTelemetryTest {

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Rig rig = new Rig("election-telemetry");
    private final DefaultCoordinator alice = rig.client("alice");
    private final KeptEvents kept = new KeptEvents();
    private final DefaultCoordinator bob = listening();
    private final Rig.Work a = rig.work("a");
    private final Rig.Work b = rig.work("b");

    private DefaultCoordinator listening() {
        rig.telemetry.add(kept);
        return rig.client("bob");
    }

    @Test
    void term_waitedForAndResigned_isReportedWithItsTimes() {
        run(alice, "a", a);
        Candidacy second = run(bob, "b", b);
        rig.loop.pass(Duration.ofSeconds(3));
        a.end();
        rig.loop.pass(Duration.ofSeconds(4));
        second.resign();
        rig.loop.pass(Duration.ofSeconds(1));
        b.end();

        assertThat(kept.events)
                .containsExactly(
                        "b began, after 3 s", "b stopping RESIGNED", "b ended RESIGNED, lasted 5 s, stopped in 1 s");
        assertThat(kept.ended).singleElement().satisfies(event -> {
            assertThat(event.election()).isEqualTo("boss");
            assertThat(event.term()).isEqualTo(b.term().term());
            assertThat(event.failure()).isEmpty();
            assertThat(event.at()).isEqualTo(Instant.ofEpochMilli(rig.loop.wallMillis()));
        });
    }

    @Test
    void term_again_hasWaitedSinceTheLastOneEnded() {
        run(bob, "b", b);
        rig.loop.pass(Duration.ofSeconds(10));
        run(alice, "a", a);
        b.end();
        rig.loop.pass(Duration.ofSeconds(7));
        a.end();
        rig.loop.run();

        assertThat(kept.events)
                .containsExactly(
                        "b began, after 0 ms", "b ended RETURNED, lasted 10 s, stopped in 0 ms", "b began, after 7 s");
    }

    @Test
    void term_workThrowsByItself_isReportedAsThatAndWithWhat() {
        CompletableFuture<Void> work = new CompletableFuture<>();
        election(bob).runAsync(Candidate.of("b"), leadership -> work);
        rig.loop.run();
        work.completeExceptionally(new IllegalStateException("broken on purpose"));
        rig.loop.run();

        assertThat(kept.ended).first().satisfies(event -> {
            assertThat(event.reason()).isEqualTo(Reason.THREW);
            assertThat(event.failure()).contains("broken on purpose");
        });
    }

    @Test
    void term_workIsInterruptedAsItShouldBe_hasNotFailed() {
        CompletableFuture<Void> work = new CompletableFuture<>();
        Candidacy only = election(bob).runAsync(Candidate.of("b"), leadership -> work);
        rig.loop.run();
        only.resign();
        rig.loop.run();
        work.completeExceptionally(new InterruptedException());
        rig.loop.run();

        assertThat(kept.ended).first().satisfies(event -> {
            assertThat(event.reason()).isEqualTo(Reason.RESIGNED);
            assertThat(event.failure()).isEmpty();
        });
    }

    @Test
    void term_lostAndTheWorkIsLate_isReportedBeforeItEndsAndWhenItEnds() {
        run(bob, "b", b);
        rig.store.expireSessions("bob");
        rig.loop.pass(Duration.ofSeconds(3));
        assertThat(kept.events).containsExactly("b began, after 0 ms", "b stopping LOST, over", "b late LOST, 2 s");
        b.end();

        assertThat(kept.events.get(3)).isEqualTo("b ended LOST, lasted 3 s, stopped in 3 s, late, last resort");
    }

    @Test
    void term_outOfContactAndClosed_hasThatReason() {
        run(bob, "b", b);
        rig.store.suspend("bob");
        rig.loop.run();
        rig.store.resume();
        b.end();
        rig.loop.pass(Duration.ofSeconds(1));
        bob.closeAsync();
        rig.loop.run();
        b.end();

        assertThat(kept.ended).extracting(event -> event.reason()).containsExactly(Reason.JEOPARDY, Reason.CLOSED);
    }

    @Test
    void handOver_refusedFailedAndDone_isReported() {
        Candidacy leader = run(bob, "b", b);
        var unused = leader.handOverAsync("nobody", TIMEOUT);
        rig.loop.run();
        assertThat(kept.events.get(1)).isEqualTo("b to nobody STARTED 0 ms ");
        assertThat(kept.events.get(2)).startsWith("b to nobody FAILED 0 ms ").contains("nobody");
        run(alice, "a", a);
        kept.events.clear();

        var unusedFirst = leader.handOverAsync("a", TIMEOUT);
        rig.loop.pass(Duration.ofMillis(500));
        var unusedSecond = leader.handOverAsync("a", TIMEOUT);
        rig.loop.run();
        b.end();

        assertThat(kept.events).hasSize(5);
        assertThat(kept.events.subList(0, 2)).containsExactly("b to a STARTED 0 ms ", "b stopping HANDED_OVER");
        assertThat(kept.events.get(2)).startsWith("b to a REFUSED 0 ms a hand-over to 'a' is under way");
        assertThat(kept.events.subList(3, 5))
                .containsExactly("b ended HANDED_OVER, lasted 500 ms, stopped in 500 ms", "b to a DONE 500 ms ");
    }

    @Test
    void handOver_askedForFromElsewhereWhilePaused_isReportedAsRefusedOnce() {
        run(bob, "b", b);
        run(alice, "a", a);
        var unusedPause = election(alice).pauseAsync("ops", "moving racks", TIMEOUT);
        rig.loop.run();
        kept.events.clear();

        var unusedAsk = election(alice).handOverAsync("a", TIMEOUT);
        rig.loop.pass(TIMEOUT);

        assertThat(kept.events)
                .singleElement()
                .asString()
                .startsWith("b to a REFUSED 0 ms the election is paused by ops");
    }

    @Test
    void pause_andResume_areReportedByWhoeverStandsOrLeads() {
        run(alice, "a", a);
        run(bob, "b", b);
        var unusedPause = election(alice).pauseAsync("ops", "moving racks", TIMEOUT);
        rig.loop.run();
        var unusedResume = election(alice).resumeAsync(TIMEOUT);
        rig.loop.run();

        assertThat(kept.events).containsExactly("b paused, barred", "b resumed");
        assertThat(kept.pauses.get(0).by()).isEqualTo("ops");
        assertThat(kept.pauses.get(0).why()).isEqualTo("moving racks");
        assertThat(kept.pauses.get(1).by()).isEmpty();
    }

    @Test
    void listener_slow_missesNoTerm() {
        Deque<Runnable> callbacks = new ArrayDeque<>();
        ElectionLine line = ElectionLine.named(rig.client("slow", callbacks::add), "boss");
        rig.loop.run();
        for (int i = 0; i < 1_200; i++) {
            line.report(() -> to -> to.health(new HealthChange(Instant.EPOCH, "boss", "n", true)));
            line.reportReliably(() -> to -> to.termBegan(new TermBegan(Instant.EPOCH, "boss", "n", 1, TIMEOUT)));
        }
        while (!callbacks.isEmpty()) {
            callbacks.remove().run();
        }

        assertThat(kept.events.stream().filter(event -> event.startsWith("n began")))
                .hasSize(1_200);
        assertThat(kept.events).anyMatch(event -> event.startsWith("dropped "));
    }

    @Test
    void listener_none_makesNoEvent() {
        ElectionLine line = ElectionLine.named(alice, "boss");
        boolean[] made = {false};
        line.report(() -> {
            made[0] = true;
            return to -> {};
        });
        line.reportReliably(() -> {
            made[0] = true;
            return to -> {};
        });

        assertThat(made[0]).isFalse();
    }

    // ---- the log

    @Test
    void log_ofATerm_saysWhatAnOperatorWantsToHaveSeen() {
        KeptLines log = new KeptLines();
        TermReport report = report(log);
        report.began();
        rig.loop.pass(Duration.ofSeconds(4));
        report.stopping(StopReason.RESIGNED);
        report.late();
        rig.loop.pass(Duration.ofMillis(300));
        report.ended(null);

        String term = "election 'boss', term " + b.term().term();
        assertThat(log.lines).hasSize(3);
        assertThat(log.lines.get(0)).isEqualTo("INFO candidate 'b' leads " + term + ", after waiting for 3 s");
        assertThat(log.lines.get(1))
                .startsWith(
                        "INFO candidate 'b' has to stop leading " + term + " (RESIGNED); it is certain to lead for ");
        assertThat(log.lines.get(2))
                .isEqualTo("INFO candidate 'b' no longer leads " + term
                        + ", after 4.3 s: its work has stopped 300 ms after it was told to (RESIGNED), too late");
    }

    @Test
    void log_ofWorkThatEndsAtOnceAgainAndAgain_isBounded() {
        KeptLines log = new KeptLines();
        TermReport report = report(log);
        for (int i = 0; i < 100; i++) {
            report.began();
            report.ended(new IllegalStateException("broken on purpose"));
        }
        assertThat(log.lines).hasSize(20);
        rig.loop.pass(Duration.ofMinutes(1));
        report.began();

        assertThat(log.lines).hasSize(21);
        assertThat(log.lines.get(19)).endsWith("after 0 ms: its work has thrown");
        assertThat(log.lines.get(20)).endsWith(" (180 lines like this were kept back before)");
    }

    private TermReport report(KeptLines log) {
        run(bob, "b", b);
        Term term = (Term) b.term();
        return new TermReport(
                ElectionLine.named(bob, "boss"),
                Candidate.of("b"),
                term,
                Duration.ofSeconds(3),
                new TermReport.Log(log));
    }

    private Candidacy run(DefaultCoordinator client, String id, Rig.Work work) {
        Candidate candidate = Candidate.builder(id)
                .stopTimeout(STOP_TIMEOUT)
                .lastResort(stuck -> {})
                .build();
        Candidacy begun = election(client).runAsync(candidate, work);
        rig.loop.run();
        return begun;
    }

    private static LeaderElection election(DefaultCoordinator client) {
        return LeaderElection.named(client, "boss");
    }
}
