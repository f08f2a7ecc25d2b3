package io.baton.tck;

import static io.baton.tck.TckLeader.ELECTION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.election.Candidate;
import io.baton.election.HandOverException;
import io.baton.election.LeaderElection;
import io.baton.election.Leadership;
import io.baton.election.StopReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Hand-overs, priorities, and duplicate candidate ids. */
abstract class HandOverChapter extends Chapter {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final AtomicInteger atWork = new AtomicInteger();
    private final List<TckLeader> candidates = new ArrayList<>();
    private final CountDownLatch neverBusy = new CountDownLatch(0);
    private @Nullable TckClient steady;

    @AfterEach
    void nobodyDidWrong() {
        assertThat(candidates).flatExtracting(TckLeader::faults).isEmpty();
    }

    @Test
    void handOver_toTheThirdInLine_leadsNextAndThoseBetweenStandAgain() throws Exception {
        TckLeader a = stand("a");
        Leadership first = a.awaitTermAfter(0);
        TckLeader b = stand("b");
        awaitStanding(2);
        TckLeader c = stand("c");
        awaitStanding(3);

        a.candidacy().handOver("c", TIMEOUT);

        Leadership next = c.awaitTermAfter(0);
        assertThat(next.term()).isGreaterThan(first.term());
        assertThat(a.stops()).containsExactly(StopReason.HANDED_OVER);
        assertThat(b.terms()).isEmpty();
        awaitStanding(3);
        outcome(next.resign());
        awaitStanding(3);
        soon().until(() -> a.terms().size() + b.terms().size() == 2);
    }

    @Test
    void handOver_backAndForth_termsRiseEachTime() throws Exception {
        TckLeader a = stand("a");
        a.awaitTermAfter(0);
        List<TckLeader> both = List.of(a, stand("b"));
        long term = 0;
        for (int i = 0; i < 10; i++) {
            term = both.get(i % 2).awaitTermAfter(term).term();
            awaitStanding(2);
            both.get(i % 2).candidacy().handOver(i % 2 == 0 ? "b" : "a", TIMEOUT);
        }
        assertThat(both.get(0).stops()).containsOnly(StopReason.HANDED_OVER).hasSize(5);
        assertThat(both.get(1).stops()).containsOnly(StopReason.HANDED_OVER).hasSize(5);
    }

    @Test
    void handOver_pastMoreThanOneTransactionTakes_arrives() throws Exception {
        Coordinator few = coordinator();
        int many = Math.min(few.guarantees().maxOps(), 150) + 2;
        TckLeader a = stand("a");
        a.awaitTermAfter(0);
        for (int i = 0; i < many; i++) {
            register(TckLeader.stand(few, "between-" + i, atWork));
        }
        awaitStanding(many + 1);
        TckLeader last = stand("last");
        awaitStanding(many + 2);

        a.candidacy().handOver("last", PATIENCE);

        last.awaitTermAfter(0);
        awaitStanding(many + 2);
    }

    @Test
    void handOver_candidateOutOfContact_failsInTimeAndTheTermGoesOn() throws Exception {
        TckLeader a = register(TckLeader.stand(steadyCoordinator(), "a", atWork));
        a.awaitTermAfter(0);
        stand("b");
        awaitStanding(2);
        store().breakContact();

        assertThatThrownBy(() -> a.candidacy().handOver("b", Duration.ofMillis(300)))
                .isInstanceOf(HandOverException.class)
                .hasMessageContaining("did not answer within 300 ms");

        assertThat(a.candidacy().leadership()).isPresent();
        store().restoreContact();
        awaitStanding(2);
        assertThat(a.terms()).hasSize(1);
        assertThat(a.stops()).isEmpty();
    }

    @Test
    void handOver_candidateNotReadyOrNotThere_isRefusedAndTheTermGoesOn() throws Exception {
        TckLeader a = stand("a");
        a.awaitTermAfter(0);
        AtomicBoolean ready = new AtomicBoolean();
        TckLeader b = stand(TckLeader.candidate("b").ready(ready::get));
        awaitStanding(2);

        assertThatThrownBy(() -> a.candidacy().handOver("b", TIMEOUT))
                .isInstanceOf(HandOverException.class)
                .hasMessageContaining("not ready");
        assertThatThrownBy(() -> a.candidacy().handOver("x", TIMEOUT))
                .isInstanceOf(HandOverException.class)
                .hasMessageContaining("no candidate 'x'");

        assertThat(a.stops()).isEmpty();
        ready.set(true);
        a.candidacy().handOver("b", TIMEOUT);
        b.awaitTermAfter(0);
    }

    @Test
    void handOver_candidateGoesWhileTheWorkStops_theLineDecides() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        TckLeader a = stand(TckLeader.candidate("a"), busy);
        a.awaitTermAfter(0);
        TckLeader b = stand("b");
        awaitStanding(2);
        TckLeader c = stand("c");
        awaitStanding(3);

        CompletableFuture<Void> done = a.candidacy().handOverAsync("b", TIMEOUT);
        soon().until(() -> a.candidacy().leadership().isEmpty());
        b.candidacy().close();
        busy.countDown();

        assertThatThrownBy(() -> outcome(done))
                .isInstanceOf(HandOverException.class)
                .hasMessageContaining("resigned");
        c.awaitTermAfter(0);
        awaitStanding(2);
    }

    @Test
    void handOver_workDoesNotStop_isCalledOffAndIsAResignation() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        AtomicInteger stuck = new AtomicInteger();
        TckLeader a = stand(
                TckLeader.candidate("a")
                        .stopTimeout(Duration.ofMillis(100))
                        .lastResort(work -> stuck.incrementAndGet()),
                busy);
        Leadership term = a.awaitTermAfter(0);
        TckLeader b = stand("b");
        awaitStanding(2);

        assertThatThrownBy(() -> a.candidacy().handOver("b", TIMEOUT))
                .isInstanceOf(HandOverException.class)
                .hasMessageContaining("has not stopped in time");

        soon().until(() -> stuck.get() == 1);
        assertThat(term.remaining()).isPositive();
        assertThat(b.terms()).isEmpty();
        busy.countDown();
        b.awaitTermAfter(0);
    }

    @Test
    void handOver_askedFromOutside_isObeyed() throws Exception {
        TckLeader a = stand("a");
        long term = a.awaitTermAfter(0).term();
        stand("b");
        awaitStanding(2);
        TckLeader c = stand("c");
        awaitStanding(3);
        LeaderElection outside = LeaderElection.named(coordinator(), ELECTION);

        outside.handOver("c", TIMEOUT);
        assertThat(c.awaitTermAfter(0).term()).isGreaterThan(term);
        outside.handOver("c", TIMEOUT);
        assertThat(c.terms()).hasSize(1);
        assertThatThrownBy(() -> outside.handOver("x", TIMEOUT)).hasMessageContaining("no candidate 'x'");
        awaitStanding(3);
        outside.handOver("a", TIMEOUT);
        a.awaitTermAfter(term);
    }

    @Test
    void handOver_askedWhenNobodyAnswers_saysSo() throws Exception {
        LeaderElection outside = LeaderElection.named(steadyCoordinator(), ELECTION);
        assertThatThrownBy(() -> outside.handOver("a", TIMEOUT)).hasMessageContaining("nobody leads");
        TckLeader a = stand("a");
        a.awaitTermAfter(0);
        store().breakContact();

        assertThatThrownBy(() -> outside.handOver("b", Duration.ofMillis(900)))
                .isInstanceOf(HandOverException.class)
                .hasMessageContaining("has not handed over within 900 ms");
    }

    @Test
    void priority_higherOneComes_isGivenTheLeadOnce() throws Exception {
        TckLeader low = stand("low");
        low.awaitTermAfter(0);
        TckLeader equal = stand(prior("equal", 1));
        equal.awaitTermAfter(0);
        awaitStanding(2);

        TckLeader other = stand(prior("other", 1));
        awaitStanding(3);
        stays(() -> other.terms().isEmpty() && low.terms().size() == 1);

        assertThat(low.stops()).containsExactly(StopReason.HANDED_OVER);
        assertThat(equal.stops()).isEmpty();
        TckLeader high = stand(prior("high", 2));
        high.awaitTermAfter(0);
        awaitStanding(4);
        stays(() -> high.terms().size() == 1);
        assertThat(equal.stops()).containsExactly(StopReason.HANDED_OVER);
    }

    @Test
    void id_borneByAnotherOneAhead_standsAsideAndSaysWho() throws Exception {
        TckLeader one = stand("twin");
        one.awaitTermAfter(0);
        TckLeader other = stand("twin");

        soon().until(() -> other.candidacy().trouble().isPresent());
        assertThat(other.candidacy().trouble().orElseThrow())
                .hasMessageContaining("another candidate 'twin'")
                .hasMessageContaining("pid " + ProcessHandle.current().pid());

        one.candidacy().close();
        other.awaitTermAfter(0);
        assertThat(other.candidacy().trouble()).isEmpty();
    }

    private static Candidate.Builder prior(String id, int priority) {
        return TckLeader.candidate(id).priority(priority).priorityDelay(Duration.ofMillis(50));
    }

    private TckLeader stand(String id) throws InterruptedException {
        return stand(TckLeader.candidate(id));
    }

    private TckLeader stand(Candidate.Builder candidate) throws InterruptedException {
        return stand(candidate, neverBusy);
    }

    /** Starts a candidate whose work stops only once it is no longer busy. */
    private TckLeader stand(Candidate.Builder candidate, CountDownLatch busy) throws InterruptedException {
        return register(TckLeader.stand(coordinator(), candidate.build(), atWork, busy));
    }

    private TckLeader register(TckLeader leader) {
        candidates.add(leader);
        return leader;
    }

    /** A client that sees the line through all faults. */
    private void awaitStanding(int count) {
        TckClient known = steady;
        if (known == null) {
            known = store().steadyUri().isPresent() ? steadyClient() : client();
            steady = known;
        }
        TckClient client = known;
        soon().until(() -> client.peers(TckLeader.LINE).size() == count);
    }
}
