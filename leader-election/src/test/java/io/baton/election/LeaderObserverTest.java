package io.baton.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.internal.client.DefaultCoordinator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Observers on virtual time. */
class LeaderObserverTest {

    private final Rig rig = new Rig("observer");
    private final DefaultCoordinator watching = rig.client("watching");
    private final DefaultCoordinator alice = rig.client("alice");
    private final DefaultCoordinator bob = rig.client("bob");
    private final List<String> seen = new ArrayList<>();
    private final LeaderObserver observer = election(watching).observe();

    @Test
    void onChange_nobodyLeads_isToldSoFirst() {
        follow();

        assertThat(seen).containsExactly("none");
        assertThat(observer.leader()).isEmpty();
    }

    @Test
    void onChange_leaderComes_isToldWhoItIs() {
        follow();
        lead(alice, Candidate.builder("a").address("10.0.0.1:80").metadata("zone", "x=1\n%"));

        Leader leader = observer.leader().orElseThrow();
        assertThat(seen).hasSize(2);
        assertThat(leader.id()).isEqualTo("a");
        assertThat(leader.address()).isEqualTo("10.0.0.1:80");
        assertThat(leader.metadata()).isEqualTo(Map.of("zone", "x=1\n%"));
        assertThat(leader.term()).isPositive();
    }

    @Test
    void onChange_registeredLate_isToldThePresentLeader() {
        lead(alice, Candidate.builder("a"));
        follow();

        assertThat(seen).containsExactly("a");
    }

    @Test
    void onChange_leadersFollowEachOther_areToldInOrderAndNobodyBetweenThem() {
        follow();
        List<Leadership> terms = new ArrayList<>();
        Candidacy first = lead(alice, Candidate.builder("a"), terms);
        Candidacy second = lead(bob, Candidate.builder("b"), terms);
        first.closeAsync();
        rig.loop.run();
        second.closeAsync();
        rig.loop.run();

        assertThat(seen).containsExactly("none", "a", "b", "none");
    }

    @Test
    void onChange_candidatesComeAndGoBehindTheLeader_isNotTold() {
        follow();
        lead(alice, Candidate.builder("a"));
        for (int i = 0; i < 5; i++) {
            lead(bob, Candidate.builder("b")).closeAsync();
            rig.loop.run();
        }

        assertThat(seen).containsExactly("none", "a");
    }

    @Test
    void onChange_observersSessionEnds_isToldWhatIsNewOnly() {
        follow();
        Candidacy first = lead(alice, Candidate.builder("a"));
        rig.store.expireSessions("watching");
        rig.loop.pass(Duration.ofSeconds(5));
        assertThat(seen).containsExactly("none", "a");

        first.closeAsync();
        rig.loop.pass(Duration.ofSeconds(5));
        assertThat(seen).containsExactly("none", "a", "none");
    }

    @Test
    void onChange_whileOutOfContact_isToldAfterwards() {
        follow();
        rig.store.suspend("watching");
        lead(alice, Candidate.builder("a"));
        assertThat(seen).containsExactly("none");

        rig.store.resume();
        rig.loop.run();
        assertThat(seen).containsExactly("none", "a");
    }

    @Test
    void close_observer_isToldNothingMore() {
        follow();
        observer.close();
        lead(alice, Candidate.builder("a"));

        assertThat(seen).containsExactly("none");
        assertThatThrownBy(() -> awaitOnLoop()).isInstanceOf(CoordinationException.class);
    }

    /** The loop may have something else to do. */
    @Test
    void close_observerHasNotEndedYet_whatWaitsForAThreadIsToldNoMore() {
        List<Runnable> threads = new ArrayList<>();
        LeaderObserver waiting = election(rig.client("waiting", threads::add)).observe();
        waiting.onChange(leader -> seen.add("told"));
        rig.loop.run();
        assertThat(threads).isNotEmpty();
        waiting.close();
        threads.forEach(Runnable::run);

        assertThat(seen).isEmpty();
    }

    @Test
    void close_listenerIsAddedJustBefore_isNotToldThePresentLeader() {
        List<Runnable> threads = new ArrayList<>();
        LeaderObserver known = election(rig.client("known", threads::add)).observe();
        rig.loop.run();
        known.onChange(leader -> seen.add("told"));
        known.close();
        rig.loop.run(1);
        threads.forEach(Runnable::run);

        assertThat(seen).isEmpty();
    }

    @Test
    void close_coordinator_endsTheWait() throws Exception {
        CompletableFuture<Optional<Leader>> waiting = waiting();
        watching.closeAsync();
        rig.loop.run();

        assertThatThrownBy(waiting::join).hasCauseInstanceOf(CoordinationException.class);
    }

    @Test
    void awaitLeader_leaderComes_isThatOne() throws Exception {
        CompletableFuture<Optional<Leader>> waiting = waiting();
        lead(alice, Candidate.builder("a"));

        assertThat(waiting.join().orElseThrow().id()).isEqualTo("a");
    }

    private void awaitOnLoop() throws InterruptedException {
        CompletableFuture<Optional<Leader>> waiting = waiting();
        try {
            waiting.join();
        } catch (java.util.concurrent.CompletionException failed) {
            throw (RuntimeException) failed.getCause();
        }
    }

    /** Waits on another thread; it waits for sure once this returns. */
    private CompletableFuture<Optional<Leader>> waiting() throws InterruptedException {
        CompletableFuture<Optional<Leader>> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(observer.awaitLeader(Duration.ofSeconds(30)));
            } catch (InterruptedException | RuntimeException failed) {
                result.completeExceptionally(failed);
            }
        });
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING && !result.isDone()) {
            Thread.onSpinWait();
            rig.loop.run();
        }
        rig.loop.run();
        return result;
    }

    private void follow() {
        observer.onChange(leader -> seen.add(leader.map(Leader::id).orElse("none")));
        rig.loop.run();
    }

    private Candidacy lead(DefaultCoordinator client, Candidate.Builder candidate) {
        return lead(client, candidate, new ArrayList<>());
    }

    /** Leads until told to stop, and stops at once. */
    private Candidacy lead(DefaultCoordinator client, Candidate.Builder candidate, List<Leadership> terms) {
        Candidacy begun = election(client).runAsync(candidate.build(), leadership -> {
            terms.add(leadership);
            CompletableFuture<StopReason> stopped = new CompletableFuture<>();
            leadership.onStop(stopped::complete);
            return stopped;
        });
        rig.loop.run();
        return begun;
    }

    private static LeaderElection election(DefaultCoordinator client) {
        return LeaderElection.named(client, "boss");
    }
}
