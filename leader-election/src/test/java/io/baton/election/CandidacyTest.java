package io.baton.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LONG;

import io.baton.HoldState;
import io.baton.StoreUnavailableException;
import io.baton.election.internal.DefaultCandidacy;
import io.baton.election.internal.line.ElectionLine;
import io.baton.election.internal.term.AsyncWork;
import io.baton.election.internal.term.WorkFailures;
import io.baton.internal.client.DefaultCoordinator;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Candidates on virtual time, event by event. */
class CandidacyTest {

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(2);

    private final Rig rig = new Rig("candidacy");
    private final DefaultCoordinator alice = rig.client("alice");
    private final DefaultCoordinator bob = rig.client("bob");
    private final Rig.Work a = rig.work("a");
    private final Rig.Work b = rig.work("b");
    private final List<LastResort.Stuck> stuck = new ArrayList<>();
    private final List<Long> stuckAt = new ArrayList<>();

    @Test
    void id_linesCannotBeListedAgainAndAgain_isATroubleUntilTheyCan() {
        RefusingStore busy = new RefusingStore(rig.store, () -> new StoreUnavailableException("too many requests"));
        busy.lists = true;
        rig.seenBy.put("dave", busy.store());
        DefaultCoordinator dave = rig.client("dave");
        run(alice, "a", a);
        run(dave, "b", b);
        Candidacy third = run(dave, "c", rig.work("c"));
        rig.loop.pass(Duration.ofMinutes(10));
        assertThat(dave.trouble()).hasSize(2).allSatisfy(trouble -> {
            assertThat(trouble.what()).contains("It is not known whether another candidate '");
            assertThat(trouble.why()).contains("too many requests");
        });
        third.closeAsync();
        rig.loop.run();
        assertThat(dave.trouble()).hasSize(1);

        busy.lists = false;
        rig.loop.pass(Duration.ofMinutes(1));

        assertThat(dave.trouble()).isEmpty();
    }

    @Test
    void run_alone_leads() {
        Candidacy me = run(alice, "a", a);

        assertThat(rig.told).containsExactly("a leads");
        assertThat(me.leadership()).contains(a.term());
        assertThat(a.term().election()).isEqualTo("boss");
        assertThat(a.term().remaining()).isPositive().isLessThanOrEqualTo(Rig.TTL);
        assertThat(a.term().stopReason()).isEmpty();
    }

    @Test
    void run_behindAnother_waits() {
        run(alice, "a", a);
        Candidacy second = run(bob, "b", b);
        rig.loop.pass(Duration.ofMinutes(5));

        assertThat(rig.told).containsExactly("a leads");
        assertThat(second.leadership()).isEmpty();
    }

    @Test
    void resign_leading_leadsOnUntilTheWorkHasStopped() {
        Candidacy first = run(alice, "a", a);
        run(bob, "b", b);

        CompletableFuture<Void> resigned = first.resign();
        rig.loop.pass(Duration.ofSeconds(1));
        assertThat(rig.told).containsExactly("a leads", "a stops: RESIGNED");
        assertThat(a.term().remaining()).isPositive();
        assertThat(first.leadership()).isEmpty();
        assertThat(resigned).isNotDone();

        a.end();
        assertThat(resigned).isCompleted();
        assertThat(rig.told).containsExactly("a leads", "a stops: RESIGNED", "a ends", "b leads");
        assertThat(b.term().term()).isGreaterThan(a.term().term());
        assertThat(rig.standing()).isEqualTo(2);
    }

    @Test
    void resign_notLeading_changesNothing() {
        run(alice, "a", a);
        Candidacy second = run(bob, "b", b);

        CompletableFuture<Void> resigned = second.resign();
        rig.loop.run();

        assertThat(resigned).isCompleted();
        assertThat(rig.standing()).isEqualTo(2);
        assertThat(rig.told).containsExactly("a leads");
    }

    @Test
    void resign_again_isToldOnceAndBothAreAnswered() {
        Candidacy first = run(alice, "a", a);
        CompletableFuture<Void> once = first.resign();
        CompletableFuture<Void> twice = first.resign();
        rig.loop.run();
        a.end();

        assertThat(once).isCompleted();
        assertThat(twice).isCompleted();
        assertThat(rig.told).containsExactly("a leads", "a stops: RESIGNED", "a ends", "a leads");
    }

    @Test
    void work_endsByItself_nextOneLeadsAndItStandsAgain() {
        run(alice, "a", a);
        run(bob, "b", b);

        a.end();
        rig.loop.pass(Duration.ofSeconds(1));

        assertThat(rig.told).containsExactly("a leads", "a ends", "b leads");
        assertThat(rig.standing()).isEqualTo(2);
    }

    @Test
    void work_throwsAtOnce_isBegunAgainMoreAndMoreSlowly() {
        int[] begun = {0};
        election(alice).runAsync(Candidate.of("a"), leadership -> {
            begun[0]++;
            throw new IllegalStateException("broken on purpose");
        });
        rig.loop.pass(Duration.ofSeconds(1));
        int early = begun[0];
        rig.loop.pass(Duration.ofMinutes(1));

        assertThat(early).isBetween(2, 10);
        assertThat(begun[0]).isBetween(early + 10, 60);
    }

    @Test
    void work_returnsNull_endsAsIfItHadThrownAndTheNextOneLeads() {
        KeptLines log = new KeptLines();
        AsyncElectionListener broken = leadership -> null;
        ElectionLine line = ElectionLine.named(alice, "boss");
        var work = new AsyncWork(broken, line.callbacks());
        DefaultCandidacy first = new DefaultCandidacy(line, Candidate.of("a"), work, () -> {}, log);
        first.start();
        run(bob, "b", b);
        rig.loop.pass(Duration.ofSeconds(1));

        assertThat(rig.told).containsExactly("b leads");
        assertThat(first.state()).isEqualTo(CandidacyState.WAITING);
        assertThat(log.all()).isNotEmpty().first().asString().contains("the work of term", "threw");
        CompletableFuture<Void> closed = first.closeAsync();
        rig.loop.run();
        assertThat(closed).isCompleted();
    }

    /** Work that takes a while to find out that it cannot go on. */
    @Test
    void work_throwsAfterAWhileAgainAndAgain_isBegunAgainMoreSlowlyUntilItLasts() {
        List<Long> begun = new ArrayList<>();
        Duration[] lasts = {Duration.ofSeconds(2)};
        election(alice).runAsync(Candidate.of("a"), leadership -> {
            begun.add(rig.loop.elapsedMillis());
            CompletableFuture<Void> work = new CompletableFuture<>();
            rig.loop.after(lasts[0], () -> work.completeExceptionally(new IllegalStateException("no database")));
            return work;
        });
        rig.loop.pass(Duration.ofMinutes(2));

        assertThat(pauses(begun, 2_000)).element(0, LONG).isBetween(20L, 40L);
        assertThat(pauses(begun, 2_000)).last(LONG).isBetween(2_560L, 5_120L);
        lasts[0] = WorkFailures.LASTING;
        begun.clear();
        rig.loop.pass(Duration.ofMinutes(4));
        assertThat(pauses(begun, 60_000))
                .isNotEmpty()
                .allSatisfy(pause -> assertThat(pause).isBetween(20L, 40L));
    }

    @Test
    void work_throwsAFewTimesAndThenGoesOn_isToldOnceEach() {
        KeptLines log = new KeptLines();
        ElectionLine line = ElectionLine.named(alice, "boss");
        int[] begun = {0};
        AsyncElectionListener work = leadership -> {
            if (++begun[0] <= 3) {
                throw new IllegalStateException("no database");
            }
            return new CompletableFuture<>();
        };
        var duty = new AsyncWork(work, line.callbacks());
        new DefaultCandidacy(line, Candidate.of("a"), duty, () -> {}, log).start();
        rig.loop.pass(WorkFailures.LASTING.plusSeconds(1));

        assertThat(begun[0]).isEqualTo(4);
        assertThat(log.all()).hasSize(2);
        assertThat(log.all().get(0))
                .matches("WARN candidate 'a' in election 'boss': the work of term \\d+ threw after 0 ms; "
                        + "it stands again in \\d+ ms \\+");
        assertThat(log.all().get(1))
                .isEqualTo("INFO candidate 'a' in election 'boss': the work goes on again, after it has thrown 3 times"
                        + " in a row");
    }

    private static List<Long> pauses(List<Long> begun, long lasted) {
        List<Long> pauses = new ArrayList<>();
        for (int n = 1; n < begun.size(); n++) {
            pauses.add(begun.get(n) - begun.get(n - 1) - lasted);
        }
        return pauses;
    }

    /** What it would rather do it cannot: the one that can is not to be bothered all the time. */
    @Test
    void work_ofHighPriorityThrowsAtOnce_takesTheLeadMoreAndMoreSeldom() {
        Candidate eager = Candidate.builder("a")
                .priority(1)
                .priorityDelay(Duration.ofSeconds(10))
                .build();
        int[] begun = {0};
        election(alice).runAsync(eager, leadership -> {
            begun[0]++;
            throw new IllegalStateException("broken on purpose");
        });
        election(bob).runAsync(Candidate.of("b"), leadership -> {
            CompletableFuture<Void> work = new CompletableFuture<>();
            leadership.onStop(why -> work.complete(null));
            return work;
        });
        rig.loop.pass(Duration.ofMinutes(1));
        int early = begun[0];
        rig.loop.pass(Duration.ofMinutes(10));

        assertThat(early).isGreaterThan(1);
        assertThat(begun[0] - early).isBetween(1, 4);
    }

    @Test
    void suspended_byDefault_isToldAtOnceAndTheTermEnds() {
        run(alice, "a", a);
        run(bob, "b", b);

        rig.store.suspend("alice");
        rig.loop.run();
        assertThat(rig.told).containsExactly("a leads", "a stops: JEOPARDY");
        rig.store.resume();
        rig.loop.pass(Duration.ofSeconds(1));
        assertThat(rig.told).hasSize(2);

        a.end();
        assertThat(rig.told).containsExactly("a leads", "a stops: JEOPARDY", "a ends", "b leads");
        assertThat(rig.standing()).isEqualTo(2);
    }

    /** Nobody has slept: somebody has set the clock. */
    @ParameterizedTest
    @EnumSource(WhenSuspended.class)
    void wallClock_setForwardInContact_theTermGoesOn(WhenSuspended whenSuspended) {
        run(alice, candidate("a").whenSuspended(whenSuspended), a);

        for (int i = 0; i < 5; i++) {
            rig.loop.sleep(Rig.TTL.dividedBy(4));
            a.term().remaining();
            rig.loop.pass(Duration.ofMillis(2_700));
            assertThat(a.term().remaining()).isGreaterThan(Rig.TTL.dividedBy(2));
        }

        assertThat(rig.told).containsExactly("a leads");
    }

    @Test
    void wallClock_gainsAllThatIsLeft_isToldAtOnce() {
        run(alice, "a", a);

        rig.loop.sleep(Rig.TTL);
        a.term().remaining();
        rig.loop.run();

        assertThat(rig.told).containsExactly("a leads", "a stops: JEOPARDY");
    }

    @Test
    void suspended_workGoesOn_lastResortAtTheDeadlineBeforeAnotherLeads() {
        run(alice, candidate("a").stopTimeout(Duration.ofMinutes(1)), a);
        long[] secondSince = {0};
        election(bob).runAsync(Candidate.of("b"), leadership -> {
            secondSince[0] = rig.loop.elapsedMillis();
            return new CompletableFuture<>();
        });
        rig.loop.run();

        rig.store.suspend("alice");
        rig.loop.pass(Rig.TTL.multipliedBy(2));

        assertThat(stuck).hasSize(1);
        assertThat(stuck.get(0).reason()).isEqualTo(StopReason.JEOPARDY);
        assertThat(stuck.get(0).leadership().remaining()).isZero();
        assertThat(secondSince[0]).isGreaterThan(stuckAt.get(0));
        assertThat(rig.told).containsExactly("a leads", "a stops: JEOPARDY");
    }

    @Test
    void suspended_ridingOutAndBackInTime_nothingHappens() {
        run(alice, candidate("a").whenSuspended(WhenSuspended.RIDE_OUT), a);

        for (int i = 0; i < 3; i++) {
            rig.store.suspend("alice");
            rig.loop.pass(Duration.ofSeconds(3));
            rig.store.resume();
            rig.loop.pass(Duration.ofSeconds(30));
        }

        assertThat(rig.told).containsExactly("a leads");
        assertThat(a.term().remaining()).isPositive();
    }

    @Test
    void suspended_ridingOutForTooLong_isToldWhileThereIsTimeToStop() {
        run(alice, candidate("a").whenSuspended(WhenSuspended.RIDE_OUT), a);
        rig.store.suspend("alice");
        Duration left = a.term().remaining();
        long from = rig.loop.elapsedMillis();

        rig.loop.pass(left.minus(STOP_TIMEOUT).minusMillis(1));
        assertThat(rig.told).containsExactly("a leads");
        rig.loop.pass(Duration.ofMillis(2));
        assertThat(rig.told).containsExactly("a leads", "a stops: JEOPARDY");
        assertThat(a.stoppedAt - from).isCloseTo(left.minus(STOP_TIMEOUT).toMillis(), within(2));
        assertThat(stuck).isEmpty();

        rig.loop.pass(STOP_TIMEOUT);
        assertThat(stuck).hasSize(1);
    }

    @Test
    void suspended_ridingOutAndTheMachineSleeps_isToldSoonAfterItWakes() {
        run(alice, candidate("a").whenSuspended(WhenSuspended.RIDE_OUT), a);
        rig.store.suspend("alice");
        rig.loop.pass(Duration.ofSeconds(1));

        rig.loop.sleep(Rig.TTL);
        rig.loop.pass(Duration.ofMillis(100));

        assertThat(rig.told).containsExactly("a leads", "a stops: JEOPARDY");
    }

    /** No break is told, as the network has fallen silent. */
    @Test
    void inContact_machineSleeps_isToldSoonAfterItWakes() {
        run(alice, candidate("a"), a);

        rig.loop.sleep(Rig.TTL);
        rig.loop.pass(Duration.ofMillis(100));

        assertThat(rig.told).containsExactly("a leads", "a stops: JEOPARDY");
    }

    @Test
    void lost_sessionExpired_isToldOnce() {
        run(alice, "a", a);
        run(bob, "b", b);

        rig.store.expireSessions("alice");
        rig.loop.run();

        assertThat(rig.told).containsExactlyInAnyOrder("a leads", "a stops: LOST", "b leads");
        assertThat(a.term().remaining()).isZero();
    }

    @Test
    void lost_callbackStillRuns_isNotACandidateAgainBeforeItReturns() {
        run(alice, "a", a);

        rig.store.expireSessions("alice");
        rig.loop.pass(Duration.ofSeconds(1));
        assertThat(rig.standing()).isZero();

        a.end();
        rig.loop.pass(Duration.ofSeconds(1));
        assertThat(rig.told).containsExactly("a leads", "a stops: LOST", "a ends", "a leads");
        assertThat(a.terms.get(1).term()).isGreaterThan(a.terms.get(0).term());
    }

    @Test
    void lost_callbackGoesOn_lastResortAfterTheStopTimeout() {
        run(alice, "a", a);
        rig.store.expireSessions("alice");
        rig.loop.pass(STOP_TIMEOUT.minusMillis(1));
        assertThat(stuck).isEmpty();
        rig.loop.pass(Duration.ofMillis(1));
        assertThat(stuck).hasSize(1);
        assertThat(stuck.get(0).since()).isEqualTo(STOP_TIMEOUT);

        rig.loop.pass(Duration.ofMinutes(1));
        assertThat(stuck).hasSize(1);
    }

    @Test
    void resign_callbackGoesOn_lastResortAndNobodyElseLeads() {
        Candidacy first = run(alice, "a", a);
        run(bob, "b", b);
        first.resign();
        rig.loop.pass(Duration.ofMinutes(1));

        assertThat(stuck).hasSize(1);
        assertThat(rig.told).containsExactly("a leads", "a stops: RESIGNED");
        assertThat(a.term().remaining()).isPositive();

        a.end();
        assertThat(rig.told).endsWith("a ends", "b leads");
    }

    @Test
    void callback_lastResortThrows_changesNothing() {
        LastResort broken = work -> {
            throw new IllegalStateException("broken on purpose");
        };
        Candidacy first = run(alice, Candidate.builder("a").lastResort(broken), a);
        first.resign();
        rig.loop.pass(Duration.ofMinutes(1));
        a.end();

        assertThat(rig.told).endsWith("a ends", "a leads");
    }

    @Test
    void granted_lostBeforeTheWorkBegins_isNotBegun() {
        Deque<Runnable> callbacks = new ArrayDeque<>();
        DefaultCoordinator slow = rig.client("slow", callbacks::add);
        run(slow, "a", a);
        assertThat(rig.standing()).isEqualTo(1);

        rig.store.expireSessions("slow");
        rig.loop.run();
        List.copyOf(callbacks).forEach(Runnable::run);

        assertThat(rig.told).isEmpty();
        rig.loop.pass(Duration.ofSeconds(1));
        assertThat(rig.standing()).isEqualTo(1);
    }

    @Test
    void removed_waitingEntry_standsAgain() {
        run(alice, "a", a);
        run(bob, "b", b);
        var bobs = rig.store.peers("elections/boss").get(1);

        rig.store.removeEntry(bobs);
        rig.loop.pass(Duration.ofSeconds(5));

        assertThat(rig.standing()).isEqualTo(2);
        assertThat(rig.store.peers("elections/boss").get(1)).isNotEqualTo(bobs);
    }

    @Test
    void removed_leadersEntry_isToldAndStandsAgain() {
        run(alice, "a", a);
        rig.store.removeEntry(rig.store.peers("elections/boss").get(0));
        rig.loop.run();
        assertThat(rig.told).containsExactly("a leads", "a stops: LOST");

        a.end();
        rig.loop.pass(Duration.ofSeconds(1));
        assertThat(rig.told).endsWith("a ends", "a leads");
    }

    @Test
    void close_leading_isOverWhenTheWorkHasStopped() {
        Candidacy first = run(alice, "a", a);
        CompletableFuture<Void> closed = first.closeAsync();
        rig.loop.pass(Duration.ofSeconds(1));
        assertThat(rig.told).containsExactly("a leads", "a stops: CLOSED");
        assertThat(rig.standing()).isEqualTo(1);
        assertThat(closed).isNotDone();

        a.end();
        rig.loop.pass(Duration.ofMinutes(1));
        assertThat(closed).isCompleted();
        assertThat(rig.standing()).isZero();
        assertThat(rig.told).hasSize(3);
    }

    @Test
    void close_waiting_leavesTheLine() {
        run(alice, "a", a);
        Candidacy second = run(bob, "b", b);

        CompletableFuture<Void> closed = second.closeAsync();
        rig.loop.run();

        assertThat(closed).isCompleted();
        assertThat(rig.standing()).isEqualTo(1);
        a.end();
        rig.loop.run();
        assertThat(rig.told).doesNotContain("b leads");
    }

    @Test
    void close_whileResigning_doesNotStandAgain() {
        Candidacy first = run(alice, "a", a);
        first.resign();
        CompletableFuture<Void> closed = first.closeAsync();
        rig.loop.run();
        a.end();
        rig.loop.pass(Duration.ofSeconds(5));

        assertThat(closed).isCompleted();
        assertThat(rig.told).containsExactly("a leads", "a stops: RESIGNED", "a ends");
        assertThat(rig.standing()).isZero();
    }

    @Test
    void coordinator_closedWhileLeading_keepsTheEntryUntilTheWorkHasStopped() {
        run(alice, "a", a);
        run(bob, "b", b);

        CompletableFuture<Void> closed = alice.closeAsync();
        rig.loop.pass(Duration.ofSeconds(2));
        assertThat(rig.told).containsExactly("a leads", "a stops: CLOSED");
        assertThat(a.term().remaining()).isPositive();
        assertThat(closed).isNotDone();

        a.end();
        assertThat(closed).isCompleted();
        assertThat(rig.told).containsExactly("a leads", "a stops: CLOSED", "a ends", "b leads");
    }

    @Test
    void coordinator_closedAndTheWorkGoesOn_lastResortAndTheEnd() {
        run(alice, candidate("a").stopTimeout(Duration.ofMinutes(1)), a);

        CompletableFuture<Void> closed = alice.closeAsync();
        rig.loop.pass(Duration.ofSeconds(10));

        assertThat(closed).isCompleted();
        assertThat(stuck).hasSize(1);
        assertThat(rig.standing()).isZero();
    }

    @Test
    void run_tooManyUnderWay_saysSoAndTriesAgain() {
        DefaultCoordinator full = DefaultCoordinator.start(
                rig.store, rig.loop, rig.loop, Rig.options("full").maxWaiting(1).build());
        var lock = full.lock("taken").acquireAsync();
        rig.loop.run();
        var waiting = full.lock("taken").acquireAsync();
        rig.loop.run();
        Candidacy me = run(full, "a", a);
        assertThat(me.trouble()).isPresent();
        assertThat(full.trouble()).singleElement().satisfies(trouble -> {
            assertThat(trouble.what()).isEqualTo("candidate 'a' cannot stand in election 'boss'");
            assertThat(trouble.why()).isEqualTo(me.trouble().orElseThrow().getMessage());
        });
        assertThat(rig.told).isEmpty();

        waiting.cancel(false);
        rig.loop.pass(Duration.ofSeconds(10));

        assertThat(rig.told).containsExactly("a leads");
        assertThat(me.trouble()).isEmpty();
        assertThat(full.trouble()).isEmpty();
        assertThat(lock.join().state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void term_afterMany_risesEachTime() {
        Candidacy first = run(alice, "a", a);
        Candidacy second = run(bob, "b", b);
        List<Long> terms = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Rig.Work leading = i % 2 == 0 ? a : b;
            terms.add(leading.term().term());
            (i % 2 == 0 ? first : second).resign();
            rig.loop.run();
            leading.end();
            rig.loop.pass(Duration.ofSeconds(1));
        }

        assertThat(terms).isSorted().doesNotHaveDuplicates();
    }

    private Candidacy run(DefaultCoordinator client, String id, Rig.Work work) {
        return run(client, candidate(id), work);
    }

    private Candidacy run(DefaultCoordinator client, Candidate.Builder candidate, Rig.Work work) {
        Candidacy begun = election(client).runAsync(candidate.build(), work);
        rig.loop.run();
        return begun;
    }

    private Candidate.Builder candidate(String id) {
        return Candidate.builder(id).stopTimeout(STOP_TIMEOUT).lastResort(work -> {
            stuck.add(work);
            stuckAt.add(rig.loop.elapsedMillis());
        });
    }

    private static LeaderElection election(DefaultCoordinator client) {
        return LeaderElection.named(client, "boss");
    }

    private static org.assertj.core.data.Offset<Long> within(long millis) {
        return org.assertj.core.data.Offset.offset(millis);
    }
}
