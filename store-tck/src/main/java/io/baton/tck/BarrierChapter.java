package io.baton.tck;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.SessionLostException;
import io.baton.SessionState;
import io.baton.StoreUnavailableException;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.Resource;
import io.baton.recipes.Barrier;
import io.baton.recipes.BarrierRound;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Parties that wait for each other. */
abstract class BarrierChapter extends Chapter {

    private static final Line PARTIES = Line.of("baton.parties/tck", Line.Kind.PERMITS);

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    private static Barrier barrier(Coordinator baton, int parties) {
        return Barrier.named(baton, "tck", parties);
    }

    private static List<Peer> waiting(TckClient looking) throws InterruptedException {
        return looking.ask(session -> session.peers(PARTIES));
    }

    private static void waitsAs(TckClient looking, int number) {
        soon().until(() -> waiting(looking).size() == number);
    }

    /**
     * Waits until this coordinator's parties have seen so many: they observe the line since before this does, and are told
     * first.
     */
    private static void seesAs(Coordinator baton, int number) throws InterruptedException {
        RecipeContext context = RecipeContext.of(baton, "tck");
        var seen = new CompletableFuture<Void>();
        context.loop()
                .post(() -> context.lines().observeMembers(Resource.barrier("tck"), now -> {
                    if (now.members().size() == number) {
                        seen.complete(null);
                    }
                }));
        outcome(seen);
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
    void await_allParties_passTogetherAgainAndAgain() throws Exception {
        Coordinator one = coordinator();
        Coordinator two = coordinator();
        TckClient looking = client();
        for (int number = 1; number <= 3; number++) {
            CompletableFuture<BarrierRound> a = barrier(one, 3).awaitAsync();
            Future<BarrierRound> b = threads.submit(() -> barrier(two, 3).await(PATIENCE));
            waitsAs(looking, 2);
            stays(() -> !a.isDone() && !b.isDone());

            BarrierRound c = barrier(two, 3).await();

            sameVerdict(number, true, List.of(outcome(a), outcome(b), c));
            assertThat(c.index()).isEqualTo(2);
            assertThat(c.orThrow()).isSameAs(c);
            assertThat(waiting(looking)).isEmpty();
        }
    }

    @Test
    void await_moreThanParties_areOfTheNextRounds() throws Exception {
        List<Coordinator> clients = List.of(coordinator(), coordinator());
        List<CompletableFuture<BarrierRound>> comers = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            comers.add(barrier(clients.get(i % 2), 3).awaitAsync());
        }
        soon().until(() -> comers.stream().filter(CompletableFuture::isDone).count() == 6);
        stays(() -> comers.stream().filter(CompletableFuture::isDone).count() == 6);
        comers.add(barrier(clients.get(0), 3).awaitAsync());
        comers.add(barrier(clients.get(1), 3).awaitAsync());

        Map<Long, List<BarrierRound>> rounds =
                outcomes(comers).stream().collect(Collectors.groupingBy(BarrierRound::number));

        assertThat(rounds).containsOnlyKeys(1L, 2L, 3L);
        rounds.forEach((number, all) -> {
            assertThat(all).hasSize(3);
            sameVerdict(number, true, all);
        });
    }

    private static List<BarrierRound> outcomes(List<CompletableFuture<BarrierRound>> comers) throws Exception {
        List<BarrierRound> all = new ArrayList<>();
        for (CompletableFuture<BarrierRound> each : comers) {
            all.add(outcome(each));
        }
        return all;
    }

    /** Nobody passes alone, and nobody gets another verdict than the others of its round. */
    @Test
    void await_partiesThatGoAtAnyMoment_allGetTheSameVerdict() throws Exception {
        List<Coordinator> clients = List.of(coordinator(), coordinator(), coordinator());
        List<Future<List<BarrierRound>>> working = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Barrier own = barrier(clients.get(i % 3), 3);
            int more = i;
            working.add(threads.submit(() -> {
                List<BarrierRound> rounds = new ArrayList<>();
                for (int n = 0; n < 25; n++) {
                    try {
                        rounds.add(own.await(Duration.ofMillis(5 + (n * 7 + more * 11) % 40)));
                    } catch (SessionLostException late) {
                        // A thread that pauses for long may miss more rounds than are kept.
                        assertThat(late).hasMessageContaining("no longer in");
                    }
                }
                return rounds;
            }));
        }
        Map<String, BarrierRound> byParty = new HashMap<>();
        for (Future<List<BarrierRound>> each : working) {
            outcome(each).forEach(round -> byParty.put(round.me(), round));
        }

        assertThat(byParty.values()).allSatisfy(round -> {
            sameVerdict(
                    round.number(),
                    round.passed(),
                    round.parties().stream()
                            .map(byParty::get)
                            .filter(Objects::nonNull)
                            .toList());
            assertThat(round.parties().size() == 3).isEqualTo(round.passed());
        });
        waitsAs(client(), 0);
    }

    @Test
    void await_timeIsOver_breaksTheRoundForAllAndTheNextPasses() throws Exception {
        Coordinator one = coordinator();
        CompletableFuture<BarrierRound> a = barrier(one, 3).awaitAsync();
        waitsAs(client(), 1);

        BarrierRound b = barrier(coordinator(), 3).await(Duration.ofMillis(300));

        sameVerdict(1, false, List.of(outcome(a), b));
        assertThat(b.why()).contains(b.me()).contains("its time to wait was over");
        assertThatThrownBy(b::orThrow)
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("round 1 was broken");
        CompletableFuture<BarrierRound> c = barrier(one, 3).awaitAsync();
        CompletableFuture<BarrierRound> d = barrier(one, 3).awaitAsync();
        sameVerdict(2, true, List.of(barrier(one, 3).await(), outcome(c), outcome(d)));
    }

    @Test
    void await_cancelledOrInterrupted_breaksTheRoundForAll() throws Exception {
        Coordinator baton = coordinator();
        TckClient looking = client();
        CompletableFuture<BarrierRound> a = barrier(baton, 3).awaitAsync();
        CompletableFuture<BarrierRound> cancelled = barrier(coordinator(), 3).awaitAsync();
        waitsAs(looking, 2);
        cancelled.cancel(true);
        assertThat(outcome(a).passed()).isFalse();
        assertThat(outcome(a).why()).contains("it was cancelled");

        CompletableFuture<BarrierRound> b = barrier(baton, 3).awaitAsync();
        Thread interrupted = new Thread(() -> {
            try {
                var unused = barrier(baton, 3).await();
            } catch (InterruptedException expected) {
                return;
            }
        });
        interrupted.start();
        waitsAs(looking, 2);
        interrupted.interrupt();
        assertThat(outcome(b).passed()).isFalse();
        assertThat(outcome(b).why()).contains("it was interrupted");
        waitsAs(looking, 0);
    }

    @Test
    void session_expired_breaksTheRoundForTheOthersAndFailsItsOwn() throws Exception {
        Coordinator baton = coordinator();
        TckClient looking = client();
        CompletableFuture<BarrierRound> dies = barrier(baton, 3).awaitAsync();
        waitsAs(looking, 1);
        Peer entry = waiting(looking).get(0);
        Coordinator other = coordinator();
        CompletableFuture<BarrierRound> c = barrier(other, 3).awaitAsync();
        waitsAs(looking, 2);
        seesAs(other, 2);
        stays(() -> !c.isDone());
        store().expire(looking.details(entry).orElseThrow().session());

        assertThatThrownBy(() -> outcome(dies)).isInstanceOf(SessionLostException.class);
        assertThat(outcome(c).passed()).isFalse();
        assertThat(outcome(c).why()).contains("has gone");
        soon().until(() -> baton.state() == SessionState.CONNECTED);
        CompletableFuture<BarrierRound> d = barrier(baton, 3).awaitAsync();
        CompletableFuture<BarrierRound> e = barrier(baton, 3).awaitAsync();
        sameVerdict(2, true, List.of(barrier(baton, 3).await(), outcome(d), outcome(e)));
    }

    @Test
    void entry_removedByHand_breaksTheRound() throws Exception {
        Coordinator baton = coordinator();
        TckClient looking = client();
        CompletableFuture<BarrierRound> removed = barrier(baton, 3).awaitAsync();
        waitsAs(looking, 1);
        Peer entry = waiting(looking).get(0);
        Coordinator other = coordinator();
        CompletableFuture<BarrierRound> a = barrier(other, 3).awaitAsync();
        waitsAs(looking, 2);
        seesAs(other, 2);
        stays(() -> !a.isDone());

        store().removeEntry(entry);

        assertThatThrownBy(() -> outcome(removed)).isInstanceOf(SessionLostException.class);
        assertThat(outcome(a).passed()).isFalse();
        waitsAs(looking, 0);
    }

    /** Its round, and more, are decided while it is out of contact. */
    @Test
    void contact_brokenWhileTheRoundIsDecided_getsItsVerdictLate() throws Exception {
        Coordinator steady = steadyCoordinator();
        Coordinator baton = coordinator();
        TckClient looking = steadyClient();
        CompletableFuture<BarrierRound> late = barrier(baton, 2).awaitAsync();
        waitsAs(looking, 1);
        store().breakContact();
        soon().until(() -> baton.state() != SessionState.CONNECTED);
        CompletableFuture<BarrierRound> never =
                Barrier.named(baton, "another", 2).awaitAsync();

        BarrierRound other = barrier(steady, 2).await();
        for (int number = 2; number < 8; number++) {
            CompletableFuture<BarrierRound> a = barrier(steady, 2).awaitAsync();
            sameVerdict(number, true, List.of(barrier(steady, 2).await(), outcome(a)));
        }
        assertThat(late).isNotDone();
        assertThatThrownBy(() -> Barrier.named(baton, "third", 2).await(Duration.ofMillis(50)))
                .isInstanceOf(StoreUnavailableException.class);
        store().restoreContact();

        sameVerdict(1, true, List.of(other, outcome(late)));
        CompletableFuture<BarrierRound> a = barrier(baton, 2).awaitAsync();
        sameVerdict(8, true, List.of(barrier(steady, 2).await(), outcome(a)));
        assertThat(Barrier.named(steady, "another", 2).await().passed()).isTrue();
        assertThat(outcome(never).passed()).isTrue();
    }

    /** The last one of a round decides it. If it is slow, another one does. */
    @Test
    void await_theLastOneDecidesNothing_passesNevertheless() throws Exception {
        CompletableFuture<BarrierRound> a = barrier(coordinator(), 2).awaitAsync();
        TckClient slow = client();
        waitsAs(slow, 1);

        slow.ask(session -> {
            session.join(PARTIES, Claim.permits(1), "id=slow\n\n".getBytes(UTF_8), new TckContender(slow, its -> {}));
            return CompletableFuture.completedStage(null);
        });

        assertThat(outcome(a).passed()).isTrue();
        assertThat(outcome(a).parties()).containsExactly(outcome(a).me(), "slow");
        waitsAs(slow, 0);
    }

    @Test
    void coordinator_closed_breaksTheRoundForTheOthers() throws Exception {
        Coordinator closing = coordinator();
        TckClient looking = client();
        CompletableFuture<BarrierRound> closed = barrier(closing, 3).awaitAsync();
        waitsAs(looking, 1);
        CompletableFuture<BarrierRound> a = barrier(coordinator(), 3).awaitAsync();
        waitsAs(looking, 2);
        stays(() -> !a.isDone());

        closing.close();

        assertThatThrownBy(() -> outcome(closed)).isInstanceOf(SessionLostException.class);
        assertThat(outcome(a).passed()).isFalse();
        assertThatThrownBy(() -> barrier(closing, 3).await()).isInstanceOf(SessionLostException.class);
    }

    @Test
    void parties_another_isRefusedWithBoth() throws Exception {
        Coordinator baton = coordinator();
        assertThat(barrier(baton, 1).await().passed()).isTrue();

        assertThatThrownBy(() -> barrier(coordinator(), 2).await(PATIENCE))
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("for 1 parties")
                .hasMessageContaining("waits for 2");
        assertThatThrownBy(() -> barrier(baton, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> barrier(baton, 1).await(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }
}
