package io.baton.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.StoreUnavailableException;
import io.baton.Telemetry;
import io.baton.election.internal.line.ElectionLine;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.recipe.Futures;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Hand-overs on virtual time, event by event. */
class HandOverTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(2);

    private final Rig rig = new Rig("handover");
    private final DefaultCoordinator alice = rig.client("alice");
    private final DefaultCoordinator bob = rig.client("bob");
    private final DefaultCoordinator carol = rig.client("carol");
    private final Rig.Work a = rig.work("a");
    private final Rig.Work b = rig.work("b");
    private final Rig.Work c = rig.work("c");
    private final List<LastResort.Stuck> stuck = new ArrayList<>();
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final PrintStream err = System.err;

    @BeforeEach
    void keepTheLog() {
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restoreErr() {
        System.setErr(err);
    }

    @Test
    void handOver_toTheThirdInLine_isNextAndThoseBetweenStandAgain() {
        Candidacy first = run(alice, "a", a);
        run(bob, "b", b);
        run(carol, "c", c);

        CompletableFuture<Void> done = first.handOverAsync("c", TIMEOUT);
        rig.loop.run();
        assertThat(rig.told).containsExactly("a leads", "a stops: HANDED_OVER");
        assertThat(done).isNotDone();
        assertThat(a.term().remaining()).isPositive();
        a.end();

        assertThat(done).isCompleted();
        assertThat(rig.told).containsExactly("a leads", "a stops: HANDED_OVER", "a ends", "c leads");
        assertThat(c.term().term()).isGreaterThan(a.term().term());
        rig.loop.pass(Duration.ofSeconds(1));
        assertThat(rig.standing()).isEqualTo(3);
        c.end();
        rig.loop.pass(Duration.ofSeconds(1));
        assertThat(rig.told).hasSize(6);
        assertThat(stuck).isEmpty();
    }

    @Test
    void handOver_byTheWork_isTheSame() {
        run(alice, "a", a);
        run(bob, "b", b);

        CompletableFuture<Void> done = a.term().handOverAsync("b", TIMEOUT);
        rig.loop.run();
        a.end();

        assertThat(done).isCompleted();
        assertThat(rig.told).containsExactly("a leads", "a stops: HANDED_OVER", "a ends", "b leads");
    }

    @Test
    void handOver_back_takesTheNextTerm() {
        Candidacy first = run(alice, "a", a);
        Candidacy second = run(bob, "b", b);
        for (int i = 0; i < 4; i++) {
            boolean forth = i % 2 == 0;
            CompletableFuture<Void> done = (forth ? first : second).handOverAsync(forth ? "b" : "a", TIMEOUT);
            rig.loop.run();
            (forth ? a : b).end();
            rig.loop.pass(Duration.ofSeconds(1));
            assertThat(done).isCompleted();
        }

        assertThat(a.terms).hasSize(3);
        assertThat(b.terms).hasSize(2);
        assertThat(a.term().term()).isGreaterThan(b.term().term());
    }

    @Test
    void handOver_nobodyOfThatName_saysWhoStandsThereAndLeadsOn() {
        Candidacy first = run(alice, "a", a);
        run(bob, "b", b);

        CompletableFuture<Void> done = first.handOverAsync("x", TIMEOUT);
        rig.loop.run();

        assertThat(failure(done)).contains("no candidate 'x'").contains("'a', 'b'");
        assertThat(rig.told).containsExactly("a leads");
        assertThat(first.leadership()).isPresent();
    }

    @Test
    void handOver_notLeading_isRefused() {
        run(alice, "a", a);
        Candidacy second = run(bob, "b", b);

        CompletableFuture<Void> done = second.handOverAsync("a", TIMEOUT);
        rig.loop.run();

        assertThat(failure(done)).contains("does not lead");
    }

    @Test
    void handOver_toItself_doesNothing() {
        Candidacy first = run(alice, "a", a);

        CompletableFuture<Void> done = first.handOverAsync("a", TIMEOUT);
        rig.loop.run();

        assertThat(done).isCompleted();
        assertThat(rig.told).containsExactly("a leads");
    }

    @Test
    void handOver_candidateNotReady_isRefusedAtOnceAndTheLeaderLeadsOn() {
        Candidacy first = run(alice, "a", a);
        AtomicBoolean ready = new AtomicBoolean();
        run(bob, candidate("b").ready(ready::get), b);

        CompletableFuture<Void> refused = first.handOverAsync("b", TIMEOUT);
        rig.loop.run();
        assertThat(failure(refused)).contains("'b' is not ready");
        assertThat(rig.told).containsExactly("a leads");

        ready.set(true);
        CompletableFuture<Void> done = first.handOverAsync("b", TIMEOUT);
        rig.loop.run();
        a.end();
        assertThat(done).isCompleted();
        assertThat(rig.told).endsWith("b leads");
    }

    @Test
    void handOver_readinessThrows_isRefusedAtOnce() {
        Candidacy first = run(alice, "a", a);
        run(
                bob,
                candidate("b").ready(() -> {
                    throw new IllegalStateException("no database");
                }),
                b);

        CompletableFuture<Void> refused = first.handOverAsync("b", TIMEOUT);
        rig.loop.run();

        assertThat(failure(refused)).contains("no database");
    }

    /** The answer has to fit into the record. */
    @Test
    void handOver_readinessThrowsWithAHugeMessage_isRefusedAtOnce() {
        Candidacy first = run(alice, "a", a);
        run(
                bob,
                candidate("b").ready(() -> {
                    throw new IllegalStateException("no database, says " + "x".repeat(2_000_000));
                }),
                b);

        CompletableFuture<Void> refused = first.handOverAsync("b", TIMEOUT);
        rig.loop.run();

        assertThat(failure(refused)).contains("no database").hasSizeLessThan(3_000);
    }

    @Test
    void handOver_candidateDoesNotSayWhetherItIsReady_isAskedNoSecondTimeUntilItDoes() {
        List<Runnable> threads = new ArrayList<>();
        AtomicInteger asked = new AtomicInteger();
        Candidacy first = run(alice, "a", a);
        run(rig.client("slow", threads::add), candidate("b").ready(() -> asked.incrementAndGet() > 0), b);
        threads.clear();

        CompletableFuture<Void> unanswered = first.handOverAsync("b", TIMEOUT);
        rig.loop.pass(TIMEOUT);
        assertThat(failure(unanswered)).contains("did not answer within 5000 ms");
        for (int again = 0; again < 3; again++) {
            CompletableFuture<Void> refused = first.handOverAsync("b", TIMEOUT);
            rig.loop.run();
            assertThat(failure(refused)).contains("'b' has not said yet whether it is ready");
        }
        assertThat(threads).hasSize(1);
        threads.remove(0).run();
        rig.loop.run();
        assertThat(asked).hasValue(1);
        assertThat(rig.told).containsExactly("a leads");

        CompletableFuture<Void> done = first.handOverAsync("b", TIMEOUT);
        rig.loop.run();
        threads.remove(0).run();
        rig.loop.run();
        a.end();
        assertThat(done).isCompleted();
    }

    @Test
    void handOver_candidateOutOfContact_failsInTimeAndNothingHasHappened() {
        Candidacy first = run(alice, "a", a);
        run(bob, "b", b);
        run(carol, "c", c);
        rig.store.suspend("carol");

        CompletableFuture<Void> done = first.handOverAsync("c", TIMEOUT);
        rig.loop.pass(TIMEOUT.minusMillis(1));
        assertThat(done).isNotDone();
        rig.loop.pass(Duration.ofMillis(1));

        assertThat(failure(done)).contains("did not answer within 5000 ms");
        rig.store.resume();
        rig.loop.pass(Duration.ofMinutes(1));
        assertThat(rig.told).containsExactly("a leads");
        assertThat(first.leadership()).contains(a.term());
    }

    @Test
    void handOver_workGoesOn_isCalledOffAndEndsAsAResignation() {
        Candidacy first = run(alice, "a", a);
        run(bob, "b", b);
        run(carol, "c", c);

        CompletableFuture<Void> done = first.handOverAsync("c", TIMEOUT);
        rig.loop.pass(STOP_TIMEOUT.plusMillis(1));

        assertThat(failure(done)).contains("has not stopped in time");
        assertThat(stuck)
                .singleElement()
                .satisfies(one -> assertThat(one.reason()).isEqualTo(StopReason.HANDED_OVER));
        assertThat(rig.told).containsExactly("a leads", "a stops: HANDED_OVER");
        a.end();
        assertThat(rig.told).endsWith("a ends", "c leads");
        assertThat(rig.standing()).isEqualTo(3);
    }

    @Test
    void handOver_candidateGoneWhenTheWorkHasStopped_theLineDecides() {
        Candidacy first = run(alice, "a", a);
        Candidacy second = run(bob, "b", b);
        run(carol, "c", c);

        CompletableFuture<Void> done = first.handOverAsync("b", TIMEOUT);
        rig.loop.run();
        second.closeAsync();
        rig.loop.run();
        a.end();

        assertThat(failure(done)).contains("has left its place").contains("resigned");
        assertThat(rig.told).endsWith("a ends", "c leads");
        assertThat(rig.standing()).isEqualTo(2);
    }

    @Test
    void handOver_leadershipLostWhileTheWorkStops_failsAndTakesTheLastResort() {
        Candidacy first = run(alice, "a", a);
        run(bob, "b", b);
        CompletableFuture<Void> done = first.handOverAsync("b", TIMEOUT);
        rig.loop.run();

        rig.store.removeEntry(rig.store.peers("elections/boss").get(0));
        rig.loop.run();

        assertThat(failure(done)).contains("lost");
        assertThat(stuck).hasSize(1);
        assertThat(rig.told).containsExactly("a leads", "a stops: HANDED_OVER", "b leads");
    }

    @Test
    void handOver_resignedMeanwhile_fails() {
        Candidacy first = run(alice, "a", a);
        run(bob, "b", b);
        run(carol, "c", c);
        rig.store.suspend("carol");

        CompletableFuture<Void> done = first.handOverAsync("c", TIMEOUT);
        rig.loop.run();
        first.resign();
        rig.loop.run();

        assertThat(failure(done)).contains("resigns");
        a.end();
        assertThat(rig.told).containsExactly("a leads", "a stops: RESIGNED", "a ends", "b leads");
    }

    @Test
    void handOver_anotherIsUnderWay_isRefused() {
        Candidacy first = run(alice, "a", a);
        run(bob, "b", b);
        run(carol, "c", c);

        CompletableFuture<Void> one = first.handOverAsync("b", TIMEOUT);
        CompletableFuture<Void> other = first.handOverAsync("c", TIMEOUT);
        rig.loop.run();
        a.end();

        assertThat(one).isCompleted();
        assertThat(failure(other)).contains("to 'b' is under way");
    }

    @Test
    void handOver_coordinatorClosedWhileTheWorkStops_handsOver() {
        Candidacy first = run(alice, "a", a);
        run(bob, "b", b);
        CompletableFuture<Void> done = first.handOverAsync("b", TIMEOUT);
        rig.loop.run();

        CompletableFuture<Void> closed = alice.closeAsync();
        rig.loop.run();
        a.end();

        assertThat(done).isCompleted();
        assertThat(closed).isCompleted();
        assertThat(rig.told).endsWith("a ends", "b leads");
        assertThat(rig.standing()).isEqualTo(1);
    }

    @Test
    void handOver_done_isToldAsAReleaseAndNotAsALoss() {
        List<String> events = new ArrayList<>();
        Telemetry listener = new Telemetry() {
            @Override
            public void lost(Lost event) {
                events.add("lost");
            }

            @Override
            public void released(Released event) {
                events.add("released");
            }
        };
        DefaultCoordinator dave = DefaultCoordinator.start(
                rig.store,
                rig.loop,
                rig.loop,
                Rig.options("dave").telemetry(listener).build());
        Candidacy first = run(dave, "a", a);
        run(bob, "b", b);

        CompletableFuture<Void> done = first.handOverAsync("b", TIMEOUT);
        rig.loop.run();
        a.end();

        assertThat(done).isCompleted();
        assertThat(events).containsExactly("released");
    }

    // ---- from outside

    @Test
    void ask_somebodyLeads_handsOver() {
        run(alice, "a", a);
        run(bob, "b", b);
        run(carol, "c", c);

        CompletableFuture<Void> done = election(rig.client("dave")).handOverAsync("c", TIMEOUT);
        rig.loop.run();
        assertThat(rig.told).containsExactly("a leads", "a stops: HANDED_OVER");
        a.end();

        assertThat(done).isCompleted();
        assertThat(rig.told).endsWith("a ends", "c leads");
    }

    @Test
    void ask_again_isAnotherOne() {
        run(alice, "a", a);
        run(bob, "b", b);
        DefaultCoordinator dave = rig.client("dave");
        for (int i = 0; i < 4; i++) {
            CompletableFuture<Void> done = election(dave).handOverAsync(i % 2 == 0 ? "b" : "a", TIMEOUT);
            rig.loop.run();
            (i % 2 == 0 ? a : b).end();
            rig.loop.pass(Duration.ofSeconds(1));
            assertThat(done).isCompleted();
        }
        assertThat(a.terms).hasSize(3);
    }

    @Test
    void ask_itLeadsAlready_isDone() {
        run(alice, "a", a);

        CompletableFuture<Void> done = election(bob).handOverAsync("a", TIMEOUT);
        rig.loop.run();

        assertThat(done).isCompleted();
        assertThat(rig.told).containsExactly("a leads");
    }

    @Test
    void ask_nobodyLeads_isToldAtOnce() {
        CompletableFuture<Void> done = election(bob).handOverAsync("a", TIMEOUT);
        rig.loop.run();

        assertThat(failure(done)).contains("nobody leads");
    }

    @Test
    void ask_refused_saysWhy() {
        run(alice, "a", a);
        run(bob, candidate("b").ready(() -> false), b);

        CompletableFuture<Void> unready = election(carol).handOverAsync("b", TIMEOUT);
        CompletableFuture<Void> unknown = election(carol).handOverAsync("x", TIMEOUT);
        rig.loop.run();

        assertThat(failure(unready)).contains("not ready");
        assertThat(failure(unknown)).contains("no candidate 'x'");
        assertThat(rig.told).containsExactly("a leads");
    }

    @Test
    void ask_leaderOutOfContact_failsInTimeAndIsNotObeyedLater() {
        run(alice, candidate("a").whenSuspended(WhenSuspended.RIDE_OUT), a);
        run(bob, "b", b);
        rig.store.suspend("alice");

        CompletableFuture<Void> done = election(carol).handOverAsync("b", Duration.ofSeconds(3));
        rig.loop.pass(Duration.ofSeconds(3));
        assertThat(failure(done)).contains("has not handed over within 3000 ms");
        rig.store.resume();
        rig.loop.pass(Duration.ofMinutes(1));

        assertThat(rig.told).containsExactly("a leads");
    }

    @Test
    void ask_leaderGoes_theNextOneDoesNotObey() {
        Candidacy first = run(alice, "a", a);
        run(bob, "b", b);
        run(carol, candidate("c").ready(() -> true), c);
        rig.store.suspend("carol");
        CompletableFuture<Void> done = election(rig.client("dave")).handOverAsync("c", Duration.ofSeconds(20));
        rig.loop.run();

        first.resign();
        rig.loop.run();
        a.end();
        rig.store.resume();
        rig.loop.pass(Duration.ofMinutes(1));

        assertThat(failure(done)).isNotEmpty();
        assertThat(rig.told).containsExactly("a leads", "a stops: RESIGNED", "a ends", "b leads");
    }

    @Test
    void ask_askerOutOfContactAfterTheRequest_findsOutThatItIsDone() {
        RefusingStore unread = refusing(() -> new StoreUnavailableException("no contact"), "dave");
        unread.reads = key -> key.tree().equals(LeaderElection.HAND_OVERS);
        run(alice, "a", a);
        run(bob, "b", b);
        CompletableFuture<Void> done = election(rig.client("dave")).handOverAsync("b", Duration.ofSeconds(30));
        rig.loop.pass(Duration.ofSeconds(1));
        a.end();
        assertThat(rig.told).endsWith("a stops: HANDED_OVER", "a ends", "b leads");
        assertThat(done).isNotDone();

        unread.reads = key -> false;
        rig.loop.pass(Duration.ofSeconds(3));

        assertThat(done).isCompleted();
    }

    @Test
    void ask_askerOutOfContactUntilItsTimeIsOver_saysThatTheOutcomeIsNotKnown() {
        RefusingStore unread = refusing(() -> new StoreUnavailableException("no contact"), "dave");
        unread.reads = key -> key.tree().equals(LeaderElection.HAND_OVERS);
        run(alice, "a", a);
        run(bob, "b", b);
        CompletableFuture<Void> done = election(rig.client("dave")).handOverAsync("b", TIMEOUT);
        rig.loop.pass(TIMEOUT.plusSeconds(2));
        a.end();

        assertThat(unknown(done)).contains("whether it was handed over is not known");
        assertThat(rig.told).endsWith("b leads");
    }

    @Test
    void ask_twoAtOnceAndTheFirstMissesItsDone_isNotCarriedOutAgain() {
        RefusingStore unread = missesItsDone();
        CompletableFuture<Void> first = election(rig.client("dave")).handOverAsync("b", Duration.ofMinutes(5));
        rig.loop.run();
        a.end();
        rig.loop.pass(Duration.ofSeconds(1));
        CompletableFuture<Void> second = election(carol).handOverAsync("a", TIMEOUT);
        rig.loop.run();
        b.end();
        assertThat(second).isCompleted();
        unread.reads = key -> false;
        rig.loop.pass(Duration.ofMinutes(10));

        assertThat(unknown(first)).contains("its record is of another hand-over now");
        assertThat(rig.told)
                .containsExactly(
                        "a leads",
                        "a stops: HANDED_OVER",
                        "a ends",
                        "b leads",
                        "b stops: HANDED_OVER",
                        "b ends",
                        "a leads");
    }

    @Test
    void ask_anotherIsRefusedAndTheFirstMissesItsDone_isDone() {
        RefusingStore unread = missesItsDone();
        CompletableFuture<Void> first = election(rig.client("dave")).handOverAsync("b", Duration.ofMinutes(5));
        rig.loop.run();
        a.end();
        rig.loop.pass(Duration.ofSeconds(1));
        CompletableFuture<Void> second = election(carol).handOverAsync("x", TIMEOUT);
        rig.loop.run();
        assertThat(failure(second)).contains("no candidate 'x'");
        unread.reads = key -> false;
        rig.loop.pass(Duration.ofMinutes(10));

        assertThat(first).isCompleted();
        assertThat(rig.told).containsExactly("a leads", "a stops: HANDED_OVER", "a ends", "b leads");
    }

    /** Two candidates, and a client dave that reads no record of hand-overs for now. */
    private RefusingStore missesItsDone() {
        RefusingStore unread = refusing(() -> new StoreUnavailableException("no contact"), "dave");
        unread.reads = key -> key.tree().equals(LeaderElection.HAND_OVERS);
        run(alice, "a", a);
        run(bob, "b", b);
        return unread;
    }

    /** On etcd a read may overtake a write. */
    @Test
    void ask_requestIsWrittenAfterItsTime_isWithdrawn() {
        HoldingStore slow = holdingRequests("dave");
        run(alice, "a", a);
        run(bob, "b", b);
        rig.store.suspend("bob");
        CompletableFuture<Void> done = election(rig.client("dave")).handOverAsync("b", TIMEOUT);
        rig.loop.pass(TIMEOUT.plusMillis(500));
        assertThat(done).isNotDone();
        slow.release();
        rig.loop.run();
        assertThat(failure(done)).contains("has not handed over within 5000 ms");
        rig.store.resume();
        rig.loop.pass(Duration.ofMinutes(1));

        assertThat(rig.told).containsExactly("a leads");
    }

    @Test
    void ask_requestIsWrittenLongAfterItsTime_isNotKnownAndWithdrawnAllTheSame() {
        HoldingStore slow = holdingRequests("dave");
        run(alice, "a", a);
        run(bob, "b", b);
        rig.store.suspend("bob");
        CompletableFuture<Void> done = election(rig.client("dave")).handOverAsync("b", TIMEOUT);
        rig.loop.pass(TIMEOUT.plusMillis(1500));
        assertThat(unknown(done)).contains("the store did not answer in time");
        slow.release();
        rig.loop.run();
        rig.store.resume();
        rig.loop.pass(Duration.ofMinutes(1));

        assertThat(rig.told).containsExactly("a leads");
    }

    /** The other one leads, and neither answer comes. */
    @Test
    void handOver_transferUnansweredAndRecordUnread_saysThatTheOutcomeIsNotKnown() {
        RefusingStore silent = refusing(() -> new OutcomeUnknownException("no answer"), "dave");
        silent.applies = true;
        Candidacy first = run(rig.client("dave"), "a", a);
        run(bob, "b", b);
        CompletableFuture<Void> done = first.handOverAsync("b", TIMEOUT);
        rig.loop.run();
        silent.writes = op -> op.key().tree().equals(LeaderElection.HAND_OVERS);
        silent.reads = key -> key.tree().equals(LeaderElection.HAND_OVERS);
        a.end();
        rig.loop.run();

        assertThat(rig.told).endsWith("a ends", "b leads");
        assertThat(unknown(done)).contains("whether candidate 'b' was made the first is not known");
    }

    @Test
    void handOver_transferUnansweredAndRecordRead_isDone() {
        RefusingStore silent = refusing(() -> new OutcomeUnknownException("no answer"), "dave");
        silent.applies = true;
        Candidacy first = run(rig.client("dave"), "a", a);
        run(bob, "b", b);
        CompletableFuture<Void> done = first.handOverAsync("b", TIMEOUT);
        rig.loop.run();
        silent.writes = op -> op.key().tree().equals(LeaderElection.HAND_OVERS);
        a.end();
        rig.loop.run();

        assertThat(rig.told).endsWith("a ends", "b leads");
        assertThat(done).isCompleted();
    }

    // ---- priorities

    @Test
    void priority_higherOneStandsForAWhile_isGivenTheLeadOnce() {
        run(alice, "a", a);
        run(bob, candidate("b").priority(1).priorityDelay(Duration.ofSeconds(3)), b);

        rig.loop.pass(Duration.ofSeconds(3).minusMillis(1));
        assertThat(rig.told).containsExactly("a leads");
        rig.loop.pass(Duration.ofMillis(1));
        assertThat(rig.told).containsExactly("a leads", "a stops: HANDED_OVER");
        a.end();
        rig.loop.pass(Duration.ofMinutes(10));

        assertThat(rig.told).containsExactly("a leads", "a stops: HANDED_OVER", "a ends", "b leads");
    }

    @Test
    void priority_equal_neverAsks() {
        run(alice, candidate("a").priority(1), a);
        run(bob, candidate("b").priority(1).priorityDelay(Duration.ofSeconds(1)), b);
        run(carol, "c", c);
        rig.loop.pass(Duration.ofMinutes(10));

        assertThat(rig.told).containsExactly("a leads");
    }

    @Test
    void priority_notReady_asksMoreAndMoreSeldom() {
        run(alice, "a", a);
        List<Long> askedAt = new ArrayList<>();
        Candidate.Builder proud = candidate("b")
                .priority(1)
                .priorityDelay(Duration.ofSeconds(1))
                .ready(() -> {
                    askedAt.add(rig.loop.elapsedMillis());
                    return false;
                });
        run(bob, proud, b);
        rig.loop.pass(Duration.ofMinutes(2));

        assertThat(askedAt).hasSizeBetween(4, 12);
        assertThat(askedAt.get(3) - askedAt.get(2)).isGreaterThan(askedAt.get(1) - askedAt.get(0));
        assertThat(rig.told).containsExactly("a leads");
    }

    @Test
    void priority_leaderGoesByItself_isNotAskedFor() {
        Candidacy first = run(alice, "a", a);
        run(bob, candidate("b").priority(1).priorityDelay(Duration.ofSeconds(3)), b);
        rig.loop.pass(Duration.ofSeconds(2));
        first.resign();
        rig.loop.run();
        a.end();
        rig.loop.pass(Duration.ofMinutes(1));

        assertThat(rig.told).containsExactly("a leads", "a stops: RESIGNED", "a ends", "b leads");
    }

    @Test
    void priority_closedBeforeItsDelayIsOver_asksForNothing() {
        KeptEvents kept = new KeptEvents();
        rig.telemetry.add(kept);
        run(rig.client("dora"), "d", a);
        Candidacy second = run(bob, candidate("b").priority(1).priorityDelay(Duration.ofSeconds(3)), b);
        rig.loop.pass(Duration.ofSeconds(2));
        second.closeAsync();
        rig.loop.pass(Duration.ofMinutes(10));

        assertThat(kept.events).containsExactly("d began, after 0 ms");
    }

    @Test
    void priority_pinnedForAMomentDuringItsDelay_standsByForAllOfItAgain() {
        run(alice, "a", a);
        run(bob, candidate("b").priority(1).priorityDelay(Duration.ofSeconds(3)), b);
        rig.loop.pass(Duration.ofSeconds(2));
        CompletableFuture<Void> pinned = election(carol).handOverAsync("a", TIMEOUT, Duration.ofMillis(500));
        rig.loop.run();
        assertThat(pinned).isCompleted();

        rig.loop.pass(Duration.ofMillis(3499));
        assertThat(rig.told).containsExactly("a leads");
        rig.loop.pass(Duration.ofMillis(1));
        assertThat(rig.told).containsExactly("a leads", "a stops: HANDED_OVER");
    }

    @Test
    void priority_cannotLead_saysWhyInTheLog() {
        run(alice, "a", a);
        Candidate.Builder unready =
                candidate("b").priority(1).priorityDelay(Duration.ofSeconds(3)).ready(() -> false);
        run(bob, unready, b);
        rig.loop.pass(Duration.ofSeconds(4));

        assertThat(log.toString(StandardCharsets.UTF_8))
                .containsOnlyOnce("would rather lead, but: ")
                .contains("is not ready");
    }

    // ---- pins

    @Test
    void pin_lookedAtAgainAndAgain_isToldOnceAndKeepsOneTimer() {
        run(bob, candidate("b").priority(1).priorityDelay(Duration.ofSeconds(3)), b);
        run(alice, "a", a);
        var unused = election(carol).handOverAsync("a", TIMEOUT, Duration.ofHours(1));
        rig.loop.run();
        b.end();
        rig.loop.pass(Duration.ofMinutes(1));
        int timers = rig.loop.timers();
        for (int i = 0; i < 20; i++) {
            var unusedAsk = election(carol).handOverAsync("x", TIMEOUT);
            rig.loop.pass(Duration.ofSeconds(10));
        }

        assertThat(rig.loop.timers()).isEqualTo(timers);
        assertThat(rig.told).endsWith("a leads");
        assertThat(log.toString(StandardCharsets.UTF_8))
                .containsOnlyOnce("would rather lead, but a hand-over by hand has pinned the leader until");
    }

    @Test
    void pin_handedOverByAPerson_isNotUndoneByPriorityUntilTheTermEnds() {
        Candidacy second = runPinned(Duration.ofSeconds(3));
        rig.loop.pass(Duration.ofHours(48));

        assertThat(rig.told).containsExactly("b leads", "b stops: HANDED_OVER", "b ends", "a leads");
        second.resign();
        rig.loop.run();
        a.end();
        rig.loop.pass(Duration.ofMinutes(1));
        assertThat(rig.told).endsWith("a stops: RESIGNED", "a ends", "b leads");
    }

    @Test
    void pin_ofTheTermBefore_doesNotHoldForTheNextOne() {
        Candidacy second = runPinned(Duration.ofSeconds(3));
        second.resign();
        rig.loop.run();
        a.end();
        rig.loop.pass(Duration.ofSeconds(1));
        CompletableFuture<Void> back = b.term().handOverAsync("a", TIMEOUT);
        rig.loop.run();
        b.end();
        assertThat(back).isCompleted();
        assertThat(rig.told).endsWith("b ends", "a leads");

        rig.loop.pass(Duration.ofSeconds(4));
        assertThat(rig.told).endsWith("a stops: HANDED_OVER");
    }

    @Test
    void pin_withATime_holdsForThatLong() {
        run(bob, candidate("b").priority(1).priorityDelay(Duration.ofSeconds(3)), b);
        run(alice, "a", a);
        CompletableFuture<Void> done = election(carol).handOverAsync("a", TIMEOUT, Duration.ofHours(1));
        rig.loop.run();
        b.end();
        assertThat(done).isCompleted();

        rig.loop.pass(Duration.ofHours(1));
        assertThat(rig.told).endsWith("a leads");
        rig.loop.pass(Duration.ofSeconds(4));
        assertThat(rig.told).endsWith("a leads", "a stops: HANDED_OVER");
        a.end();
        rig.loop.pass(Duration.ofMinutes(1));
        assertThat(rig.told).endsWith("a ends", "b leads");
    }

    @Test
    void pin_candidateThatComesLater_respectsIt() {
        runPinned(Duration.ofSeconds(3));
        bob.closeAsync();
        rig.loop.run();
        DefaultCoordinator restarted = rig.client("bob2");
        run(restarted, candidate("c").priority(9).priorityDelay(Duration.ofSeconds(1)), c);
        rig.loop.pass(Duration.ofMinutes(10));

        assertThat(rig.told).endsWith("a leads");
    }

    @Test
    void pin_aLaterHandOverFails_stillHolds() {
        runPinned(Duration.ofSeconds(3));
        CompletableFuture<Void> none = election(carol).handOverAsync("x", TIMEOUT);
        rig.loop.run();
        assertThat(failure(none)).contains("no candidate 'x'");
        CompletableFuture<Void> own = a.term().handOverAsync("y", TIMEOUT);
        rig.loop.run();
        assertThat(failure(own)).contains("no candidate 'y'");
        rig.loop.pass(Duration.ofMinutes(10));

        assertThat(rig.told).endsWith("a leads");
    }

    @Test
    void pin_toWhoLeadsAlready_isPinnedThere() {
        run(alice, "a", a);
        run(bob, candidate("b").priority(1).priorityDelay(Duration.ofSeconds(3)), b);
        CompletableFuture<Void> done = election(carol).handOverAsync("a", TIMEOUT);
        rig.loop.pass(Duration.ofMinutes(10));

        assertThat(done).isCompleted();
        assertThat(rig.told).containsExactly("a leads");
    }

    @Test
    void pin_priorityHasAskedDuringTheHandOver_isRefusedByTheNewLeader() {
        run(alice, "a", a);
        run(carol, "c", c);
        run(bob, candidate("b").priority(1).priorityDelay(Duration.ofSeconds(3)), b);
        rig.loop.pass(Duration.ofSeconds(2));
        CompletableFuture<Void> done = election(alice).handOverAsync("c", TIMEOUT);
        rig.loop.pass(Duration.ofMillis(1500));
        a.end();
        rig.loop.pass(Duration.ofMinutes(10));

        assertThat(done).isCompleted();
        assertThat(rig.told).containsExactly("a leads", "a stops: HANDED_OVER", "a ends", "c leads");
    }

    @Test
    void pin_handedOverByTheLeaderItself_isNone() {
        Candidacy first = run(bob, candidate("b").priority(1).priorityDelay(Duration.ofSeconds(3)), b);
        run(alice, "a", a);
        CompletableFuture<Void> done = first.handOverAsync("a", TIMEOUT);
        rig.loop.run();
        b.end();
        assertThat(done).isCompleted();
        rig.loop.pass(Duration.ofSeconds(4));

        assertThat(rig.told).endsWith("a leads", "a stops: HANDED_OVER");
    }

    /** As in a record that another program has written. */
    @Test
    void pin_endTooFarAwayForATimer_holds() {
        run(alice, "a", a);
        CompletableFuture<Void> done = election(carol).handOverAsync("a", TIMEOUT);
        rig.loop.run();
        assertThat(done).isCompleted();
        RecordKey key = new RecordKey(LeaderElection.HAND_OVERS, "boss");
        ElectionLine line = ElectionLine.named(alice, "boss");
        var item = line.read(key);
        rig.loop.run();
        String pinned = item.join().orElseThrow().text() + "pinned.until=" + Long.MAX_VALUE + "\n";
        var written = line.write(List.of(), List.of(Op.put(key, pinned.getBytes(StandardCharsets.UTF_8))));
        rig.loop.run();
        assertThat(written).isCompletedWithValue(true);
        run(bob, candidate("b").priority(1).priorityDelay(Duration.ofSeconds(3)), b);
        rig.loop.pass(Duration.ofMinutes(10));

        assertThat(rig.told).containsExactly("a leads");
        assertThat(log.toString(StandardCharsets.UTF_8)).contains("has pinned the leader until +292278994");
    }

    @Test
    void pin_ofATimeThatMakesNoSense_isRefused() {
        for (Duration wrong : List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofDays(366))) {
            assertThatThrownBy(() -> election(carol).handOverAsync("a", TIMEOUT, wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a pin must last");
        }
    }

    /** Has a person hand over from b, of higher priority and this delay, to a; returns the candidacy of a. */
    private Candidacy runPinned(Duration delay) {
        run(bob, candidate("b").priority(1).priorityDelay(delay), b);
        Candidacy second = run(alice, "a", a);
        CompletableFuture<Void> done = election(carol).handOverAsync("a", TIMEOUT);
        rig.loop.run();
        b.end();
        assertThat(done).isCompleted();
        return second;
    }

    // ---- ids

    @Test
    void id_borneAheadByAnotherProcess_standsAsideUntilThatOneHasGone() {
        Candidacy first = run(alice, "a", a);
        Candidacy twin = run(bob, "a", b);
        rig.loop.pass(Duration.ofMinutes(1));

        assertThat(rig.told).containsExactly("a leads");
        assertThat(twin.trouble().orElseThrow()).hasMessageContaining("another candidate 'a' stands");
        first.closeAsync();
        rig.loop.run();
        a.end();
        rig.loop.pass(Duration.ofSeconds(2));
        assertThat(rig.told).endsWith("a ends", "b leads");
        assertThat(twin.trouble()).isEmpty();
    }

    @Test
    void id_borneByAnotherOfTheCoordinator_isRefusedUntilThatOneIsOver() {
        Candidacy first = run(alice, "a", a);
        assertThatThrownBy(() -> run(alice, "a", b))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has a candidate 'a'");
        first.closeAsync();
        rig.loop.run();
        assertThatThrownBy(() -> run(alice, "a", b)).isInstanceOf(IllegalArgumentException.class);
        a.end();

        run(alice, "a", b);
        assertThat(rig.told).endsWith("a ends", "b leads");
    }

    @Test
    void removedForAnother_again_standsAgainAsSoonAsTheFirstTime() {
        Candidacy first = run(alice, "a", a);
        Candidacy third = run(carol, "c", c);
        run(bob, "b", b);
        for (int i = 0; i < 12; i++) {
            Candidacy from = i % 2 == 0 ? first : third;
            CompletableFuture<Void> done = from.handOverAsync(i % 2 == 0 ? "c" : "a", TIMEOUT);
            rig.loop.run();
            (i % 2 == 0 ? a : c).end();
            rig.loop.pass(Duration.ofMillis(50));
            assertThat(done).isCompleted();
            assertThat(rig.standing()).isEqualTo(3);
        }
    }

    /** The offer is written, and no space is left for what follows. */
    @Test
    void handOver_storeTakesNothingAfterTheOffer_isClearedAwayOnceItDoesInTheSameTerm() {
        RefusingStore full = fullAfterTheOffer();
        Candidacy first = run(rig.client("dave"), "a", a);
        run(rig.client("erin"), "b", b);
        CompletableFuture<Void> failed = first.handOverAsync("b", TIMEOUT);
        rig.loop.pass(TIMEOUT.plusSeconds(10));
        assertThat(failure(failed)).contains("'b' did not answer");
        assertThat(full.refused).isBetween(5, 10);
        full.writes = op -> false;

        CompletableFuture<Pause> paused = election(alice).pauseAsync("ops", "racks", Duration.ofSeconds(20));
        rig.loop.pass(Duration.ofSeconds(20));
        assertThat(paused).isCompleted();
        var unused = election(alice).resumeAsync(TIMEOUT);
        rig.loop.run();
        CompletableFuture<Void> done = election(alice).handOverAsync("b", TIMEOUT);
        rig.loop.run();
        a.end();

        assertThat(done).isCompleted();
        assertThat(rig.told).containsExactly("a leads", "a stops: HANDED_OVER", "a ends", "b leads");
        assertThat(log.toString(StandardCharsets.UTF_8)).containsOnlyOnce("has not taken the end of the hand-over");
    }

    @Test
    void handOver_offerOfAnEarlierLeader_isClearedAwayOnceTheStoreTakesThat() {
        RefusingStore full = fullAfterTheOffer();
        Candidacy first = run(rig.client("dave"), "a", a);
        run(rig.client("erin"), "b", b);
        var unused = first.handOverAsync("b", TIMEOUT);
        rig.loop.pass(Duration.ofSeconds(1));
        rig.store.expireSessions("dave");
        rig.loop.run();
        a.end();
        rig.loop.pass(Duration.ofSeconds(5));
        assertThat(rig.told).contains("b leads");
        full.writes = op -> false;

        CompletableFuture<Void> done = election(alice).handOverAsync("a", TIMEOUT.multipliedBy(3));
        for (int i = 0; i < 100 && b.term().stopReason().isEmpty(); i++) {
            rig.loop.pass(Duration.ofMillis(100));
        }
        b.end();
        assertThat(done).isCompleted();
        assertThat(rig.told).endsWith("b stops: HANDED_OVER", "b ends", "a leads");
    }

    /** The election is paused, and no space is left to write that this is so. */
    @Test
    void handOver_storeDoesNotTakeTheRefusal_isRefusedOnceItDoes() {
        RefusingStore full = refusing(() -> new StoreUnavailableException("no space"), "dave");
        run(rig.client("dave"), "a", a);
        run(bob, "b", b);
        CompletableFuture<Pause> paused = election(alice).pauseAsync("ops", "racks", TIMEOUT);
        rig.loop.run();
        assertThat(paused).isCompleted();
        full.writes = op -> op.key().tree().equals(LeaderElection.HAND_OVERS);
        CompletableFuture<Void> refused = election(carol).handOverAsync("b", Duration.ofMinutes(5));
        rig.loop.pass(Duration.ofSeconds(10));
        assertThat(full.refused).isBetween(3, 10);
        assertThat(refused).isNotDone();
        full.writes = op -> false;
        rig.loop.pass(Duration.ofMinutes(1));

        assertThat(failure(refused)).contains("the election is paused");
    }

    /** To the clients dave and erin. */
    private RefusingStore fullAfterTheOffer() {
        RefusingStore full = refusing(() -> new StoreUnavailableException("no space"), "dave", "erin");
        full.writes = op -> op instanceof Op.Put put
                && op.key().tree().equals(LeaderElection.HAND_OVERS)
                && !new String(put.value(), StandardCharsets.UTF_8).contains("state=offer");
        return full;
    }

    private RefusingStore refusing(Supplier<CoordinationException> why, String... clients) {
        RefusingStore refusing = new RefusingStore(rig.store, why);
        for (String client : clients) {
            rig.seenBy.put(client, refusing.store());
        }
        return refusing;
    }

    /** Holds back what this client requests of leaders. */
    private HoldingStore holdingRequests(String client) {
        HoldingStore holding = new HoldingStore(
                rig.store,
                op -> op instanceof Op.Put put
                        && op.key().tree().equals(LeaderElection.HAND_OVERS)
                        && new String(put.value(), StandardCharsets.UTF_8).contains("state=ask"));
        rig.seenBy.put(client, holding.store());
        return holding;
    }

    // ---- helpers

    private Candidacy run(DefaultCoordinator client, String id, Rig.Work work) {
        return run(client, candidate(id), work);
    }

    private Candidacy run(DefaultCoordinator client, Candidate.Builder candidate, Rig.Work work) {
        Candidacy begun = election(client).runAsync(candidate.build(), work);
        rig.loop.run();
        return begun;
    }

    private Candidate.Builder candidate(String id) {
        return Candidate.builder(id).stopTimeout(STOP_TIMEOUT).lastResort(stuck::add);
    }

    private static LeaderElection election(DefaultCoordinator client) {
        return LeaderElection.named(client, "boss");
    }

    private static String failure(CompletableFuture<Void> done) {
        return failure(done, HandOverException.class);
    }

    private static String unknown(CompletableFuture<Void> done) {
        return failure(done, OutcomeUnknownException.class);
    }

    private static String failure(CompletableFuture<Void> done, Class<? extends Throwable> type) {
        assertThat(done).isCompletedExceptionally();
        Throwable[] why = new Throwable[1];
        Futures.onDone(done, (value, failure) -> why[0] = Futures.cause(failure));
        assertThat(why[0]).isInstanceOf(type);
        return why[0].getMessage();
    }
}
