package io.baton.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorClosedException;
import io.baton.Dialect;
import io.baton.OutcomeUnknownException;
import io.baton.StoreUnavailableException;
import io.baton.election.internal.handover.HandOverNote;
import io.baton.election.internal.handover.HandOverRecord;
import io.baton.election.internal.line.CandidateEntry;
import io.baton.election.internal.line.ElectionLine;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.recipe.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Paused elections on virtual time, event by event. */
class PauseTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Rig rig = new Rig("pause");
    private final DefaultCoordinator alice = rig.client("alice");
    private final DefaultCoordinator bob = rig.client("bob");
    private final DefaultCoordinator operator = rig.client("operator");
    private final Rig.Work a = rig.work("a");
    private final Rig.Work b = rig.work("b");

    @Test
    void pause_leaderGoes_nobodyTakesOverUntilResumed() {
        Candidacy first = run(alice, "a", a);
        Candidacy second = run(bob, "b", b);
        Pause pause = pause();
        first.closeAsync();
        rig.loop.run();
        a.end();
        rig.loop.pass(Duration.ofHours(1));

        assertThat(rig.told).containsExactly("a leads", "a stops: CLOSED", "a ends");
        assertThat(rig.standing()).isZero();
        assertThat(pause.leader()).contains("a");
        assertThat(second.pause()).contains(pause);
        assertThat(resume()).contains(pause);
        rig.loop.pass(Duration.ofSeconds(1));
        assertThat(rig.told).endsWith("b leads");
        assertThat(second.pause()).isEmpty();
    }

    @Test
    void pause_present_leaderGoesOnAndTheOthersLeaveTheLine() {
        run(alice, "a", a);
        run(bob, "b", b);
        pause();
        rig.loop.pass(Duration.ofHours(1));

        assertThat(rig.told).containsExactly("a leads");
        assertThat(a.term().stopReason()).isEmpty();
        assertThat(rig.standing()).isEqualTo(1);
        resume();
        rig.loop.pass(Duration.ofSeconds(1));
        assertThat(rig.standing()).isEqualTo(2);
        assertThat(rig.told).containsExactly("a leads");
    }

    @Test
    void pause_leaderOutOfContactForAWhile_comesBack() {
        run(alice, "a", a);
        run(bob, "b", b);
        pause();
        rig.store.suspend("alice");
        rig.loop.pass(Duration.ofSeconds(1));
        a.end();
        rig.loop.pass(Rig.TTL.multipliedBy(3));
        assertThat(rig.told).containsExactly("a leads", "a stops: JEOPARDY", "a ends");

        rig.store.resume();
        rig.loop.pass(Duration.ofSeconds(2));
        assertThat(rig.told).endsWith("a ends", "a leads");
        assertThat(a.term().term()).isGreaterThan(a.terms.get(0).term());
    }

    @Test
    void pause_processOfTheLeaderStartedAnew_leads() {
        run(alice, "a", a);
        run(bob, "b", b);
        pause();
        alice.closeAsync();
        rig.loop.run();
        a.end();
        rig.loop.pass(Duration.ofSeconds(30));
        run(rig.client("alice2"), "a", a);
        rig.loop.pass(Duration.ofSeconds(1));

        assertThat(rig.told).containsExactly("a leads", "a stops: CLOSED", "a ends", "a leads");
    }

    @Test
    void pause_readIsRefusedAgainAndAgain_isReportedAndTriedEverMoreSeldom() {
        RefusingStore busy = new RefusingStore(rig.store, () -> new StoreUnavailableException("too many requests"));
        busy.reads = key -> key.tree().equals(LeaderElection.PAUSES);
        rig.seenBy.put("dave", busy.store());
        DefaultCoordinator dave = rig.client("dave");
        run(dave, "a", a);
        rig.loop.pass(Duration.ofMinutes(10));

        assertThat(rig.told).isEmpty();
        assertThat(busy.refused).isBetween(20, 60);
        assertThat(dave.trouble()).singleElement().satisfies(trouble -> {
            assertThat(trouble.what()).contains("'a'", "cannot find out whether election 'boss' is paused");
            assertThat(trouble.why()).contains("too many requests");
        });
        busy.reads = key -> false;
        rig.loop.pass(Duration.ofMinutes(1));
        assertThat(rig.told).containsExactly("a leads");
        assertThat(dave.trouble()).isEmpty();
    }

    /** What refused before may be over, and nobody leads meanwhile. */
    @Test
    void pause_readIsRefusedAndThenContactBreaks_isReadSoonOnceContactIsBack() {
        RefusingStore busy = new RefusingStore(rig.store, () -> new StoreUnavailableException("too many requests"));
        busy.reads = key -> key.tree().equals(LeaderElection.PAUSES);
        DefaultCoordinator dave = DefaultCoordinator.start(
                busy.store(),
                rig.loop,
                rig.loop,
                Rig.options("dave").ttl(Duration.ofMinutes(5)).build());
        run(dave, "a", a);
        rig.loop.pass(Duration.ofMinutes(10));
        rig.store.suspend("dave");
        rig.loop.pass(Duration.ofMinutes(1));
        busy.reads = key -> false;
        rig.store.resume();
        rig.loop.pass(Duration.ofSeconds(1));

        assertThat(rig.told).containsExactly("a leads");
    }

    @Test
    void pause_readIsRefusedAndTheCandidacyIsClosed_isATroubleNoMore() {
        RefusingStore busy = new RefusingStore(rig.store, () -> new StoreUnavailableException("too many requests"));
        busy.reads = key -> key.tree().equals(LeaderElection.PAUSES);
        rig.seenBy.put("dave", busy.store());
        DefaultCoordinator dave = rig.client("dave");
        Candidacy candidacy = run(dave, "a", a);
        rig.loop.pass(Duration.ofSeconds(10));
        assertThat(dave.trouble()).hasSize(1);
        candidacy.closeAsync();
        rig.loop.pass(Duration.ofMinutes(1));

        assertThat(dave.trouble()).isEmpty();
    }

    /** A candidate without this permission must not keep the election without a leader. */
    @Test
    void pause_mayNotBeRead_isATroubleOfTheLeaderUntilItMayOrTheCandidacyIsClosed() {
        RefusingStore refusing = new RefusingStore(rig.store, () -> new CoordinationException("no permission"));
        rig.seenBy.put("dave", refusing.store());
        DefaultCoordinator dave = rig.client("dave");
        refusing.reads = key -> key.tree().equals(LeaderElection.PAUSES);
        Candidacy first = run(dave, "a", a);
        assertThat(rig.told).containsExactly("a leads");
        rig.loop.pass(Duration.ofMinutes(10));
        assertMayNotRead(dave);
        assertThat(refusing.refused).isBetween(15, 60);
        refusing.reads = key -> false;
        rig.loop.pass(Duration.ofMinutes(1));
        assertThat(dave.trouble()).isEmpty();

        refusing.reads = key -> key.tree().equals(LeaderElection.PAUSES);
        first.resign();
        rig.loop.run();
        a.end();
        rig.loop.pass(Duration.ofMinutes(1));
        assertMayNotRead(dave);
        first.closeAsync();
        a.end();
        assertThat(dave.trouble()).isEmpty();
        int refused = refusing.refused;
        rig.loop.pass(Duration.ofMinutes(10));
        assertThat(refusing.refused).isEqualTo(refused);
        assertThat(dave.trouble()).isEmpty();
    }

    private static void assertMayNotRead(DefaultCoordinator client) {
        assertThat(client.trouble()).singleElement().satisfies(trouble -> {
            assertThat(trouble.what()).contains("'a'", "whether election 'boss' is paused, and leads all the same");
            assertThat(trouble.why()).contains("no permission");
        });
    }

    @Test
    void pause_candidateHasNotHeardOfIt_isNotElectedAfterIt() {
        // The pause is written and the leader's entry goes while this candidate is frozen: it is told of both at once.
        for (int tasks = 0; tasks < 60; tasks++) {
            rig.told.clear();
            Rig fresh = new Rig("pause");
            DefaultCoordinator one = fresh.client("one");
            DefaultCoordinator other = fresh.client("other");
            DefaultCoordinator third = fresh.client("third");
            Rig.Work work = fresh.work("one");
            Rig.Work next = fresh.work("other");
            Candidacy leading = LeaderElection.named(one, "boss").runAsync(Candidate.of("one"), work);
            fresh.loop.run();
            LeaderElection.named(other, "boss").runAsync(Candidate.of("other"), next);
            fresh.loop.run();
            CompletableFuture<Pause> paused =
                    LeaderElection.named(third, "boss").pauseAsync("ops", "", TIMEOUT);
            List<String> early = new ArrayList<>();
            paused.thenRun(() -> early.addAll(fresh.told));
            fresh.loop.run(tasks);
            leading.closeAsync();
            fresh.loop.run(3);
            work.end();
            fresh.loop.pass(Duration.ofMinutes(1));

            assertThat(paused).as("after %s tasks", tasks).isCompleted();
            if (paused.join().leader().equals(Optional.of("one"))) {
                assertThat(fresh.told).as("after %s tasks", tasks).doesNotContain("other leads");
            } else {
                assertThat(early).as("after %s tasks", tasks).contains("one ends");
            }
        }
    }

    @Test
    void pause_nobodyLeads_nobodyDoesUntilResumed() {
        Pause pause = pause();
        run(alice, "a", a);
        rig.loop.pass(Duration.ofMinutes(1));

        assertThat(pause.leader()).isEmpty();
        assertThat(rig.told).isEmpty();
        resume();
        rig.loop.pass(Duration.ofSeconds(1));
        assertThat(rig.told).containsExactly("a leads");
    }

    @Test
    void pause_again_leavesTheFirstOne() {
        run(alice, "a", a);
        Pause first = pause();
        CompletableFuture<Pause> second = election(bob).pauseAsync("night shift", "other", TIMEOUT);
        rig.loop.run();

        assertThat(second).isCompletedWithValue(first);
        assertThat(resume()).contains(first);
        assertThat(resume()).isEmpty();
    }

    @Test
    void pause_higherPriorityStandsBehind_isGivenNothing() {
        run(alice, "a", a);
        run(bob, Candidate.builder("b").priority(1).priorityDelay(Duration.ofSeconds(1)), b);
        pause();
        rig.loop.pass(Duration.ofMinutes(10));

        assertThat(rig.told).containsExactly("a leads");
    }

    @Test
    void pause_handOverAskedFor_isRefusedWithTheReason() {
        Candidacy first = run(alice, "a", a);
        run(bob, "b", b);
        pause();
        CompletableFuture<Void> asked = election(operator).handOverAsync("b", TIMEOUT);
        CompletableFuture<Void> own = first.handOverAsync("b", TIMEOUT);
        rig.loop.run();

        assertThat(failure(asked)).contains("paused by ops@bastion").contains("moving racks");
        assertThat(failure(own)).contains("paused by ops@bastion");
        assertThat(rig.told).containsExactly("a leads");
    }

    @Test
    void pause_handOverAgreed_waitsForItsEnd() {
        run(alice, "a", a);
        Candidacy second = run(bob, "b", b);
        CompletableFuture<Void> over = election(operator).handOverAsync("b", TIMEOUT);
        rig.loop.run();
        CompletableFuture<Pause> paused = election(operator).pauseAsync("ops@bastion", "", TIMEOUT);
        rig.loop.pass(Duration.ofMillis(500));
        assertThat(paused).isNotDone();
        a.end();
        rig.loop.pass(Duration.ofMillis(500));

        assertThat(over).isCompleted();
        assertThat(paused.join().leader()).contains("b");
        assertThat(second.leadership()).isPresent();
    }

    @Test
    void pause_clockOverflowsWhileAHandOverIsUnderWay_waitsForItsEnd() {
        rig.loop.pass(Duration.ofMillis(14_900));
        run(alice, "a", a);
        run(bob, "b", b);
        var unused = election(operator).handOverAsync("b", TIMEOUT);
        rig.loop.run();
        CompletableFuture<Pause> paused = election(operator).pauseAsync("ops@bastion", "", TIMEOUT);
        rig.loop.pass(Duration.ofMillis(500));
        assertThat(paused).isNotDone();
        a.end();
        rig.loop.pass(Duration.ofMillis(500));

        assertThat(paused.join().leader()).contains("b");
    }

    @Test
    void pause_handOverDoesNotEndInTime_saysSo() {
        run(alice, Candidate.builder("a").stopTimeout(Duration.ofMinutes(1)), a);
        run(bob, "b", b);
        var unused = election(operator).handOverAsync("b", TIMEOUT);
        rig.loop.run();
        CompletableFuture<Pause> paused = election(operator).pauseAsync("ops", "", Duration.ofSeconds(1));
        rig.loop.pass(Duration.ofSeconds(2));

        assertThat(thrown(paused))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("a hand-over to 'b' is under way");
    }

    @Test
    void pause_coordinatorClosedAtAnyMomentWhileAHandOverIsUnderWay_failsAtOnce() {
        run(alice, Candidate.builder("a").stopTimeout(Duration.ofMinutes(1)), a);
        run(bob, "b", b);
        var unused = election(alice).handOverAsync("b", TIMEOUT);
        rig.loop.run();
        for (int tasks = 0; tasks <= 30; tasks++) {
            DefaultCoordinator closed = rig.client("closed");
            rig.loop.run();
            CompletableFuture<Pause> paused = election(closed).pauseAsync("ops", "", TIMEOUT);
            rig.loop.run(tasks);
            assertIsClosedWith(closed, paused);
        }
    }

    @Test
    void pauseAndResume_coordinatorClosedBetweenTwoAttempts_failAtOnce() {
        RefusingStore unsure = new RefusingStore(rig.store, () -> new OutcomeUnknownException("no answer"));
        rig.seenBy.put("closed", unsure.store());
        unsure.writes = op -> op.key().tree().equals(LeaderElection.PAUSES);
        DefaultCoordinator pausing = rig.client("closed");
        rig.loop.run();
        CompletableFuture<Pause> paused = election(pausing).pauseAsync("ops", "", TIMEOUT);
        rig.loop.run();
        assertIsClosedWith(pausing, paused);

        pause();
        DefaultCoordinator resuming = rig.client("closed");
        rig.loop.run();
        CompletableFuture<Optional<Pause>> resumed = election(resuming).resumeAsync(TIMEOUT);
        rig.loop.run();
        assertIsClosedWith(resuming, resumed);
    }

    private void assertIsClosedWith(DefaultCoordinator closed, CompletableFuture<?> call) {
        assertThat(call).isNotDone();
        closed.closeAsync();
        rig.loop.run();
        assertThat(thrown(call)).isInstanceOf(CoordinatorClosedException.class);
    }

    @Test
    void pause_anyMomentOfAHandOver_leavesSomebodyLeading() {
        for (int tasks = 0; tasks < 80; tasks++) {
            Rig fresh = new Rig("pause");
            DefaultCoordinator one = fresh.client("one");
            DefaultCoordinator other = fresh.client("other");
            DefaultCoordinator third = fresh.client("third");
            Rig.Work work = fresh.work("one");
            LeaderElection.named(one, "boss").runAsync(Candidate.of("one"), work);
            fresh.loop.run();
            LeaderElection.named(other, "boss").runAsync(Candidate.of("other"), fresh.work("other"));
            fresh.loop.run();
            CompletableFuture<Void> over = LeaderElection.named(third, "boss").handOverAsync("other", TIMEOUT);
            fresh.loop.run(tasks);
            CompletableFuture<Pause> paused =
                    LeaderElection.named(third, "boss").pauseAsync("ops", "", TIMEOUT);
            fresh.loop.run();
            if (work.term().stopReason().isPresent()) {
                work.end();
            }
            fresh.loop.pass(Duration.ofMinutes(1));

            String leads = over.isCompletedExceptionally() ? "one" : "other";
            assertThat(paused.join().leader()).as("after %s tasks", tasks).contains(leads);
            assertThat(fresh.told).as("after %s tasks", tasks).contains(leads + " leads");
            assertThat(fresh.told.get(fresh.told.size() - 1)).isEqualTo(leads + " leads");
        }
    }

    @Test
    void handOver_anyMomentOfAPause_leavesSomebodyLeading() {
        for (int tasks = 0; tasks < 40; tasks++) {
            Rig fresh = new Rig("pause");
            DefaultCoordinator one = fresh.client("one");
            DefaultCoordinator other = fresh.client("other");
            DefaultCoordinator third = fresh.client("third");
            Rig.Work work = fresh.work("one");
            Candidacy leading = LeaderElection.named(one, "boss").runAsync(Candidate.of("one"), work);
            fresh.loop.run();
            LeaderElection.named(other, "boss").runAsync(Candidate.of("other"), fresh.work("other"));
            fresh.loop.run();
            CompletableFuture<Pause> paused =
                    LeaderElection.named(third, "boss").pauseAsync("ops", "", TIMEOUT);
            fresh.loop.run(tasks);
            CompletableFuture<Void> over = leading.handOverAsync("other", TIMEOUT);
            fresh.loop.run();
            if (work.term().stopReason().isPresent()) {
                work.end();
            }
            fresh.loop.pass(Duration.ofMinutes(1));

            String leads = over.isCompletedExceptionally() ? "one" : "other";
            assertThat(paused.join().leader()).as("after %s tasks", tasks).contains(leads);
            assertThat(fresh.told.get(fresh.told.size() - 1)).isEqualTo(leads + " leads");
        }
    }

    @Test
    void offer_pausedThoughTheLeaderHasNotHeardOfIt_isNotWritten() {
        run(alice, "a", a);
        run(bob, "b", b);
        HandOverRecord handOverRecord = new HandOverRecord(ElectionLine.named(alice, "boss"));
        var seen = handOverRecord.read();
        var entries = handOverRecord.line().entries();
        rig.loop.run();
        CandidateEntry leader = CandidateEntry.of(entries.join().get(0));
        CandidateEntry other = CandidateEntry.of(entries.join().get(1));
        HandOverNote offer = HandOverNote.ask("1", "b", TIMEOUT)
                .offered(new HandOverNote.Offer(
                        1, other.stand(), other.peer().name(), other.peer().order()));
        pause();
        CompletableFuture<Boolean> refused = handOverRecord.offer(seen.join(), offer, leader.peer());
        rig.loop.run();
        assertThat(refused).isCompletedWithValue(false);

        resume();
        CompletableFuture<Boolean> taken = handOverRecord.offer(seen.join(), offer, leader.peer());
        rig.loop.run();
        assertThat(taken).isCompletedWithValue(true);
    }

    @Test
    void pause_closedWhileHeldBack_isOver() {
        run(alice, "a", a);
        Candidacy second = run(bob, "b", b);
        pause();
        rig.loop.pass(Duration.ofSeconds(1));
        CompletableFuture<Void> over = second.closeAsync();
        rig.loop.run();
        assertThat(over).isCompleted();
        resume();
        rig.loop.pass(Duration.ofSeconds(1));
        assertThat(rig.standing()).isEqualTo(1);
    }

    @Test
    void onPause_eachChange_isTold() {
        List<Optional<Pause>> told = new ArrayList<>();
        try (var following = election(operator).onPause(told::add)) {
            rig.loop.run();
            Pause pause = pause();
            resume();
            assertThat(told).containsExactly(Optional.empty(), Optional.of(pause), Optional.empty());
            assertThat(following).isNotNull();
        }
    }

    @Test
    void decode_whatWasEncoded_isTheSame() {
        run(alice, "a=b%\u00e4", a);
        Pause pause = pause();
        CompletableFuture<Pause> again = election(bob).pauseAsync("x", "", TIMEOUT);
        rig.loop.run();

        assertThat(again).isCompletedWithValue(pause);
        assertThat(pause.leader()).contains("a=b%\u00e4");
        assertThat(pause.since().toEpochMilli()).isEqualTo(rig.loop.wallMillis());
        assertThat(pause).hasToString("paused by ops@bastion since " + pause.since() + ": moving racks");
    }

    @Test
    void pause_whatMakesNoSense_isRefused() {
        LeaderElection election = election(operator);
        assertThatThrownBy(() -> election.pauseAsync(" ", "", TIMEOUT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("by must not be empty");
        assertThatThrownBy(() -> election.pauseAsync("a\n", "", TIMEOUT)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> election.pauseAsync("a", "x".repeat(513), TIMEOUT))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> election.resumeAsync(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        LeaderElection exact = LeaderElection.at((Coordinator) operator, "/legacy/boss", Dialect.BATON);
        assertThatThrownBy(() -> exact.pauseAsync("a", "", TIMEOUT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("exact path");
    }

    private Pause pause() {
        CompletableFuture<Pause> paused = election(operator).pauseAsync("ops@bastion", "moving racks", TIMEOUT);
        rig.loop.run();
        assertThat(paused).isCompleted();
        return paused.join();
    }

    private Optional<Pause> resume() {
        CompletableFuture<Optional<Pause>> resumed = election(operator).resumeAsync(TIMEOUT);
        rig.loop.run();
        assertThat(resumed).isCompleted();
        return resumed.join();
    }

    private Candidacy run(DefaultCoordinator client, String id, Rig.Work work) {
        return run(client, Candidate.builder(id), work);
    }

    private Candidacy run(DefaultCoordinator client, Candidate.Builder candidate, Rig.Work work) {
        Candidacy begun = election(client).runAsync(candidate.build(), work);
        rig.loop.run();
        return begun;
    }

    private static LeaderElection election(DefaultCoordinator client) {
        return LeaderElection.named(client, "boss");
    }

    private static String failure(CompletableFuture<?> done) {
        return String.valueOf(thrown(done).getMessage());
    }

    private static Throwable thrown(CompletableFuture<?> done) {
        assertThat(done).isCompletedExceptionally();
        Throwable[] why = new Throwable[1];
        Futures.onDone(done, (value, failure) -> why[0] = Futures.cause(failure));
        return why[0];
    }
}
