package io.baton.tck;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.SessionLostException;
import io.baton.SessionState;
import io.baton.StoreUnavailableException;
import io.baton.recipes.BarrierRound;
import io.baton.recipes.DoubleBarrier;
import io.baton.recipes.DoubleBarrierRound;
import io.baton.spi.Claim;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Parties that enter together and leave together. */
@SuppressWarnings("resource") // rounds that are left need no closing
abstract class DoubleBarrierChapter extends Chapter {

    private static final Line INSIDE = Line.of("baton.inside/tck", Line.Kind.PERMITS);

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    private static DoubleBarrier barrier(Coordinator baton, int parties) {
        return DoubleBarrier.named(baton, "tck", parties);
    }

    private static List<Peer> standing(TckClient looking) throws InterruptedException {
        return looking.ask(session -> session.peers(INSIDE));
    }

    private static void standAs(TckClient looking, int number) {
        soon().until(() -> standing(looking).size() == number);
    }

    /** Lets this many parties of these clients enter. */
    private static List<DoubleBarrierRound> enter(long number, Coordinator... clients) throws Exception {
        List<CompletableFuture<DoubleBarrierRound>> entering = new ArrayList<>();
        for (Coordinator each : clients) {
            entering.add(barrier(each, clients.length).enterAsync());
        }
        List<DoubleBarrierRound> rounds = outcomes(entering);
        sameVerdict(number, true, rounds.stream().map(DoubleBarrierRound::entry).toList());
        return rounds;
    }

    private static List<CompletableFuture<BarrierRound>> leave(List<DoubleBarrierRound> rounds) {
        return rounds.stream().map(DoubleBarrierRound::leaveAsync).toList();
    }

    private static <T> List<T> outcomes(List<CompletableFuture<T>> all) throws Exception {
        List<T> outcomes = new ArrayList<>();
        for (CompletableFuture<T> each : all) {
            outcomes.add(outcome(each));
        }
        return outcomes;
    }

    /** All of them were in this round, each as another party, and got this verdict. */
    private static void sameVerdict(long number, boolean passed, List<BarrierRound> rounds) {
        BarrierRound first = rounds.get(0);
        assertThat(rounds).allSatisfy(round -> {
            assertThat(round.number()).isEqualTo(number);
            assertThat(round.passed()).as(round.why()).isEqualTo(passed);
            assertThat(round.parties()).isEqualTo(first.parties());
            assertThat(round.why()).isEqualTo(first.why());
            assertThat(round.parties()).contains(round.me());
        });
        assertThat(rounds).extracting(BarrierRound::me).doesNotHaveDuplicates();
    }

    @Test
    void enterAndLeave_allParties_togetherAgainAndAgain() throws Exception {
        Coordinator one = coordinator();
        Coordinator two = coordinator();
        TckClient looking = client();
        for (int number = 1; number <= 3; number++) {
            CompletableFuture<DoubleBarrierRound> a = barrier(one, 3).enterAsync();
            Future<DoubleBarrierRound> b =
                    threads.submit(() -> barrier(two, 3).enter(PATIENCE).orThrow());
            standAs(looking, 2);
            stays(() -> !a.isDone() && !b.isDone());
            DoubleBarrierRound c = barrier(two, 3).enter();
            sameVerdict(number, true, List.of(outcome(a).entry(), outcome(b).entry(), c.entry()));
            assertThat(c.remaining()).isPositive();

            CompletableFuture<BarrierRound> leaves = outcome(a).leaveAsync();
            CompletableFuture<BarrierRound> also = outcome(b).leaveAsync();
            standAs(looking, 5);
            stays(() -> !leaves.isDone() && !also.isDone());
            BarrierRound last = c.leave(PATIENCE);

            sameVerdict(number, true, List.of(outcome(leaves), outcome(also), last));
            assertThat(last.parties()).isEqualTo(c.entry().parties());
            assertThat(c.leave()).isEqualTo(last);
            c.close();
            assertThat(c.remaining()).isZero();
            standAs(looking, 0);
        }
    }

    @Test
    void enter_moreThanParties_waitUntilTheRoundBeforeHasEnded() throws Exception {
        Coordinator one = coordinator();
        Coordinator two = coordinator();
        List<DoubleBarrierRound> first = enter(1, one, two);
        List<CompletableFuture<DoubleBarrierRound>> next =
                List.of(barrier(one, 2).enterAsync(), barrier(two, 2).enterAsync());
        standAs(client(), 4);
        CompletableFuture<BarrierRound> leaves = first.get(0).leaveAsync();
        stays(() -> !leaves.isDone() && next.stream().noneMatch(CompletableFuture::isDone));

        BarrierRound end = first.get(1).leave();

        sameVerdict(1, true, List.of(outcome(leaves), end));
        List<DoubleBarrierRound> second = outcomes(next);
        sameVerdict(2, true, second.stream().map(DoubleBarrierRound::entry).toList());
        sameVerdict(2, true, outcomes(leave(second)));
    }

    /** No party enters or leaves alone, and none gets another verdict than the others of its round. */
    @Test
    void parties_thatGoAtAnyMoment_allGetTheSameVerdicts() throws Exception {
        List<Coordinator> clients = List.of(coordinator(), coordinator(), coordinator());
        List<Future<?>> working = new ArrayList<>();
        Map<String, BarrierRound> entries = new HashMap<>();
        Map<String, BarrierRound> ends = new HashMap<>();
        for (int i = 0; i < 4; i++) {
            DoubleBarrier own = barrier(clients.get(i % 3), 3);
            int more = i;
            working.add(threads.submit(() -> {
                for (int n = 0; n < 25; n++) {
                    goThrough(own, (n * 7 + more * 11) % 40, entries, ends);
                }
                return null;
            }));
        }
        for (Future<?> each : working) {
            var unused = outcome(each);
        }

        for (Map<String, BarrierRound> verdicts : List.of(entries, ends)) {
            assertThat(verdicts.values())
                    .allSatisfy(round -> sameVerdict(
                            round.number(),
                            round.passed(),
                            round.parties().stream()
                                    .map(verdicts::get)
                                    .filter(Objects::nonNull)
                                    .toList()));
        }
        assertThat(entries.values())
                .allSatisfy(round -> assertThat(round.parties()).hasSizeBetween(round.passed() ? 3 : 1, 3));
        assertThat(ends.values())
                .allSatisfy(round -> assertThat(round.parties()).hasSize(3));
        standAs(client(), 0);
    }

    private static void goThrough(
            DoubleBarrier own, int pace, Map<String, BarrierRound> entries, Map<String, BarrierRound> ends)
            throws InterruptedException {
        try (DoubleBarrierRound round = own.enter(Duration.ofMillis(20 + pace * 3))) {
            synchronized (entries) {
                entries.put(round.entry().me(), round.entry());
            }
            if (round.entry().passed() && pace % 5 != 0) {
                BarrierRound end = round.leave(Duration.ofMillis(20 + pace * 3));
                synchronized (entries) {
                    ends.put(end.me(), end);
                }
            }
        } catch (SessionLostException late) {
            // A thread that pauses for long may miss more rounds than are kept.
            assertThat(late).hasMessageContaining("no longer in");
        }
    }

    @Test
    void enter_timeIsOver_noneEntersAndTheNextRoundDoes() throws Exception {
        Coordinator one = coordinator();
        CompletableFuture<DoubleBarrierRound> a = barrier(one, 3).enterAsync();
        standAs(client(), 1);

        DoubleBarrierRound b = barrier(coordinator(), 3).enter(Duration.ofMillis(300));

        sameVerdict(1, false, List.of(outcome(a).entry(), b.entry()));
        assertThat(b.entry().why()).contains(b.entry().me()).contains("its time to wait was over");
        assertThatThrownBy(b::orThrow)
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("round 1 was not entered");
        assertThatThrownBy(() -> outcome(a).leave()).hasMessageContaining("round 1 was not entered");
        standAs(client(), 0);
        sameVerdict(2, true, outcomes(leave(enter(2, one, one, one))));
    }

    @Test
    void enter_timeIsOverWhileAnotherRoundIsInside_theRoundInsideGoesOn() throws Exception {
        Coordinator one = coordinator();
        List<DoubleBarrierRound> inside = enter(1, one, one);

        DoubleBarrierRound late = barrier(coordinator(), 2).enter(Duration.ofMillis(300));

        sameVerdict(2, false, List.of(late.entry()));
        sameVerdict(1, true, outcomes(leave(inside)));
    }

    /** They are as many as enter, and wait for the round inside only. */
    @Test
    void enter_timeIsOverWhileAllOfTheNextRoundWait_noneOfThemEnters() throws Exception {
        Coordinator one = coordinator();
        Coordinator two = coordinator();
        List<DoubleBarrierRound> inside = enter(1, one, two);
        CompletableFuture<DoubleBarrierRound> waits = barrier(one, 2).enterAsync();
        standAs(client(), 3);

        DoubleBarrierRound goes = barrier(two, 2).enter(Duration.ofSeconds(2));

        sameVerdict(2, false, List.of(outcome(waits).entry(), goes.entry()));
        assertThat(goes.entry().parties()).hasSize(2);
        sameVerdict(1, true, outcomes(leave(inside)));
        sameVerdict(3, true, outcomes(leave(enter(3, one, two))));
    }

    @Test
    void leave_timeIsOver_breaksTheEndForAll() throws Exception {
        Coordinator one = coordinator();
        List<DoubleBarrierRound> inside = enter(1, one, coordinator(), one);
        List<String> heard = new CopyOnWriteArrayList<>();
        inside.get(2).onBroken(heard::add);
        CompletableFuture<BarrierRound> a = inside.get(0).leaveAsync();

        BarrierRound b = inside.get(1).leave(Duration.ofMillis(300));

        sameVerdict(1, false, List.of(outcome(a), b, inside.get(2).leave()));
        assertThat(b.why()).contains(b.me()).contains("its time to wait was over");
        soon().until(() -> heard.equals(List.of(b.why())));
        standAs(client(), 0);
        sameVerdict(2, true, outcomes(leave(enter(2, one, one, one))));
    }

    @Test
    void close_inside_breaksTheEndAndIsHeardOf() throws Exception {
        Coordinator one = coordinator();
        List<DoubleBarrierRound> inside = enter(1, one, coordinator());
        List<String> heard = new CopyOnWriteArrayList<>();
        List<String> cancelled = new CopyOnWriteArrayList<>();
        inside.get(0).onBroken(heard::add);
        inside.get(0).onBroken(cancelled::add).close();

        inside.get(1).close();

        soon().until(() -> heard.size() == 1);
        assertThat(heard.get(0)).contains("it has closed the round");
        assertThat(cancelled).isEmpty();
        sameVerdict(1, false, outcomes(leave(inside)));
        standAs(client(), 0);
    }

    @Test
    void leave_cancelledOrInterrupted_breaksTheEndForAll() throws Exception {
        Coordinator one = coordinator();
        List<DoubleBarrierRound> first = enter(1, one, coordinator(), one);
        first.get(1).leaveAsync().cancel(true);
        assertThat(first.get(0).leave().why()).contains("it was cancelled");

        List<DoubleBarrierRound> second = enter(2, one, coordinator(), one);
        Thread interrupted = interruptible(() -> second.get(1).leave());
        standAs(client(), 4);
        interrupted.interrupt();
        assertThat(second.get(0).leave().why()).contains("it was interrupted");
        standAs(client(), 0);
    }

    private interface Waiting {
        Object await() throws InterruptedException;
    }

    private static Thread interruptible(Waiting waiting) {
        Thread thread = new Thread(() -> {
            try {
                var unused = waiting.await();
            } catch (InterruptedException expected) {
                return;
            }
        });
        thread.start();
        return thread;
    }

    @Test
    void enter_cancelledOrInterrupted_noneEnters() throws Exception {
        Coordinator baton = coordinator();
        TckClient looking = client();
        CompletableFuture<DoubleBarrierRound> a = barrier(baton, 3).enterAsync();
        CompletableFuture<DoubleBarrierRound> cancelled =
                barrier(coordinator(), 3).enterAsync();
        standAs(looking, 2);
        cancelled.cancel(true);
        assertThat(outcome(a).entry().passed()).isFalse();
        assertThat(outcome(a).entry().why()).contains("it was cancelled");

        CompletableFuture<DoubleBarrierRound> b = barrier(baton, 3).enterAsync();
        Thread interrupted = interruptible(() -> barrier(baton, 3).enter());
        standAs(looking, 2);
        interrupted.interrupt();
        assertThat(outcome(b).entry().passed()).isFalse();
        assertThat(outcome(b).entry().why()).contains("it was interrupted");
        standAs(looking, 0);
    }

    /** It is out of contact when it is cancelled, and the others have entered with it. */
    @Test
    void enter_cancelledAfterItWasEntered_breaksTheEnd() throws Exception {
        Coordinator steady = steadyCoordinator();
        Coordinator baton = coordinator();
        CompletableFuture<DoubleBarrierRound> cancelled = barrier(baton, 2).enterAsync();
        standAs(steadyClient(), 1);
        store().breakContact();
        soon().until(() -> baton.state() != SessionState.CONNECTED);
        DoubleBarrierRound other = barrier(steady, 2).enter().orThrow();

        cancelled.cancel(true);
        store().restoreContact();

        assertThat(other.leave().passed()).isFalse();
        standAs(steadyClient(), 0);
    }

    @Test
    void session_expiredWhileItWaits_noneEnters() throws Exception {
        Coordinator baton = coordinator();
        TckClient looking = client();
        CompletableFuture<DoubleBarrierRound> dies = barrier(baton, 3).enterAsync();
        standAs(looking, 1);
        Peer entry = standing(looking).get(0);
        CompletableFuture<DoubleBarrierRound> c = barrier(coordinator(), 3).enterAsync();
        standAs(looking, 2);
        stays(() -> !c.isDone());

        store().expire(looking.details(entry).orElseThrow().session());

        assertThatThrownBy(() -> outcome(dies)).isInstanceOf(SessionLostException.class);
        assertThat(outcome(c).entry().passed()).isFalse();
        assertThat(outcome(c).entry().why()).contains("has gone");
    }

    /** One that works on hears of it, and one that is ready to leave. */
    @Test
    void session_expiredInside_breaksTheEndForTheOthersAndFailsItsOwn() throws Exception {
        Coordinator baton = coordinator();
        TckClient looking = client();
        CompletableFuture<DoubleBarrierRound> entering = barrier(baton, 3).enterAsync();
        standAs(looking, 1);
        Peer entry = standing(looking).get(0);
        Coordinator others = coordinator();
        List<DoubleBarrierRound> inside = outcomes(List.of(
                entering, barrier(others, 3).enterAsync(), barrier(others, 3).enterAsync()));
        List<String> heard = new CopyOnWriteArrayList<>();
        inside.forEach(each -> each.onBroken(heard::add));
        CompletableFuture<BarrierRound> leaves = inside.get(1).leaveAsync();
        standAs(looking, 4);

        store().expire(looking.details(entry).orElseThrow().session());

        assertThat(outcome(leaves).passed()).isFalse();
        assertThat(outcome(leaves).why()).contains("its session ended");
        soon().until(() -> heard.size() == 3);
        sameVerdict(1, false, List.of(outcome(leaves), inside.get(2).leave()));
        assertOutOfRound(inside.get(0));
        soon().until(() -> baton.state() == SessionState.CONNECTED);
        sameVerdict(2, true, outcomes(leave(enter(2, baton, others, others))));
    }

    /** The others may have broken the end before it looks. */
    private static void assertOutOfRound(DoubleBarrierRound round) throws InterruptedException {
        try {
            assertThat(round.leave().passed()).isFalse();
        } catch (SessionLostException before) {
            assertThat(before).hasMessageContaining("no longer in");
        }
    }

    @Test
    void entry_removedByHandInside_breaksTheEnd() throws Exception {
        Coordinator baton = coordinator();
        TckClient looking = client();
        CompletableFuture<DoubleBarrierRound> a = barrier(baton, 2).enterAsync();
        standAs(looking, 1);
        Peer entry = standing(looking).get(0);
        DoubleBarrierRound b = barrier(coordinator(), 2).enter().orThrow();
        DoubleBarrierRound removed = outcome(a);

        store().removeEntry(entry);

        assertThat(b.leave().passed()).isFalse();
        assertOutOfRound(removed);
        standAs(looking, 0);
    }

    /** It is ready to leave, all others leave, and more rounds follow while it is out of contact. */
    @Test
    void contact_brokenWhileTheEndIsDecided_getsItsVerdictLate() throws Exception {
        Coordinator steady = steadyCoordinator();
        Coordinator baton = coordinator();
        TckClient looking = steadyClient();
        List<DoubleBarrierRound> inside = enter(1, baton, steady);
        CompletableFuture<BarrierRound> late = inside.get(0).leaveAsync();
        standAs(looking, 3);
        store().breakContact();
        soon().until(() -> baton.state() != SessionState.CONNECTED);

        BarrierRound other = inside.get(1).leave();
        for (int number = 2; number < 6; number++) {
            sameVerdict(number, true, outcomes(leave(enter(number, steady, steady))));
        }
        assertThat(late).isNotDone();
        assertThatThrownBy(() -> DoubleBarrier.named(baton, "third", 2).enter(Duration.ofMillis(50)))
                .isInstanceOf(StoreUnavailableException.class);
        store().restoreContact();

        sameVerdict(1, true, List.of(other, outcome(late)));
        sameVerdict(6, true, outcomes(leave(enter(6, baton, steady))));
    }

    @Test
    void contact_brokenWhileTheyEnter_entersLateAndLeavesWithTheOthers() throws Exception {
        Coordinator steady = steadyCoordinator();
        Coordinator baton = coordinator();
        CompletableFuture<DoubleBarrierRound> late = barrier(baton, 2).enterAsync();
        standAs(steadyClient(), 1);
        store().breakContact();
        soon().until(() -> baton.state() != SessionState.CONNECTED);
        DoubleBarrierRound other = barrier(steady, 2).enter().orThrow();
        CompletableFuture<BarrierRound> leaves = other.leaveAsync();
        stays(() -> !leaves.isDone() && !late.isDone());
        store().restoreContact();

        sameVerdict(1, true, List.of(other.entry(), outcome(late).entry()));
        sameVerdict(1, true, List.of(outcome(late).leave(), outcome(leaves)));
    }

    /** No party of the round is left that could break its end. */
    @Test
    void parties_allDieInside_theNextRoundIsEntered() throws Exception {
        Coordinator dies = coordinator();
        List<DoubleBarrierRound> inside = enter(1, dies, dies);
        assertThat(inside).hasSize(2);
        dies.close();

        Coordinator next = coordinator();
        sameVerdict(2, true, outcomes(leave(enter(2, next, next))));
    }

    /** The last one to come decides, and the last one to be ready. If it is slow, another one does. */
    @Test
    void parties_theLastOneDecidesNothing_passNevertheless() throws Exception {
        CompletableFuture<DoubleBarrierRound> a = barrier(coordinator(), 2).enterAsync();
        TckClient slow = client();
        standAs(slow, 1);
        join(slow, "id=slow\n\n");
        DoubleBarrierRound round = outcome(a).orThrow();
        assertThat(round.entry().parties()).containsExactly(round.entry().me(), "slow");

        CompletableFuture<BarrierRound> leaves = round.leaveAsync();
        standAs(slow, 3);
        join(slow, "id=slow\n\nready");

        assertThat(outcome(leaves).passed()).isTrue();
        standAs(slow, 0);
    }

    private static void join(TckClient client, String payload) throws InterruptedException {
        client.ask(session -> {
            session.join(INSIDE, Claim.permits(1), payload.getBytes(UTF_8), new TckContender(client, its -> {}));
            return CompletableFuture.completedStage(null);
        });
    }

    @Test
    void coordinator_closedInside_breaksTheEndForTheOthers() throws Exception {
        Coordinator closing = coordinator();
        List<DoubleBarrierRound> inside = enter(1, closing, coordinator());
        CompletableFuture<BarrierRound> leaves = inside.get(0).leaveAsync();

        closing.close();

        assertThatThrownBy(() -> outcome(leaves)).isInstanceOf(SessionLostException.class);
        assertThat(inside.get(1).leave().passed()).isFalse();
        assertThatThrownBy(() -> inside.get(0).leave()).isInstanceOf(SessionLostException.class);
        assertThatThrownBy(() -> barrier(closing, 2).enter()).isInstanceOf(SessionLostException.class);
    }

    @Test
    void parties_another_isRefusedWithBoth() throws Exception {
        Coordinator baton = coordinator();
        sameVerdict(1, true, outcomes(leave(enter(1, baton))));

        assertThatThrownBy(() -> barrier(coordinator(), 2).enter(PATIENCE))
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("for 1 parties")
                .hasMessageContaining("waits for 2");
        assertThatThrownBy(() -> barrier(baton, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> barrier(baton, 1).enter(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }
}
