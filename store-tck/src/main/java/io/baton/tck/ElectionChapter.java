package io.baton.tck;

import static io.baton.tck.TckLeader.ELECTION;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.Op;
import io.baton.Telemetry;
import io.baton.election.Leader;
import io.baton.election.LeaderElection;
import io.baton.election.LeaderObserver;
import io.baton.election.Leadership;
import io.baton.election.StopReason;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Elections as applications use them, with and without faults. */
abstract class ElectionChapter extends Chapter {

    private final AtomicInteger atWork = new AtomicInteger();
    private final List<TckLeader> candidates = new ArrayList<>();
    private @Nullable TckClient steady;

    @AfterEach
    void nobodyDidWrong() {
        assertThat(candidates).flatExtracting(TckLeader::faults).isEmpty();
    }

    @Test
    void leaders_resignInTurn_workOneAtATimeAndTermsRise() throws Exception {
        List<TckLeader> all = List.of(stand("a"), stand("b"), stand("c"));
        awaitStanding(3);
        long term = 0;
        for (int i = 0; i < 12; i++) {
            TckLeader leader = awaitAny(all, term);
            term = leader.awaitTermAfter(term).term();
            outcome(leader.candidacy().resign());
        }

        assertThat(all).allSatisfy(each -> assertThat(each.terms()).hasSizeGreaterThanOrEqualTo(3));
    }

    /**
     * If its session is ended at the store, a leader may work until it is notified. So each one is counted separately.
     */
    @Test
    void leader_sessionExpired_isToldAndStandsAgain() throws Exception {
        TckLeader first = TckLeader.stand(coordinator(), "a", new AtomicInteger());
        candidates.add(first);
        long term = first.awaitTermAfter(0).term();
        TckLeader second = TckLeader.stand(coordinator(), "b", new AtomicInteger());
        candidates.add(second);
        awaitStanding(2);

        store().expire(first(steady()).session());

        long next = second.awaitTermAfter(term).term();
        soon().until(() ->
                first.stops().equals(List.of(StopReason.LOST)) || first.stops().equals(List.of(StopReason.JEOPARDY)));
        awaitStanding(2);
        outcome(second.candidacy().resign());
        assertThat(first.awaitTermAfter(next).term()).isGreaterThan(next);
    }

    @Test
    void leader_cutOff_hasStoppedBeforeTheNextBegins() throws Exception {
        TckLeader first = stand(briefCoordinator(), "a");
        long term = first.awaitTermAfter(0).term();
        TckLeader second = stand(steadyCoordinator(), "b");
        awaitStanding(2);

        store().breakContact();

        second.awaitTermAfter(term);
        assertThat(first.stops()).containsExactly(StopReason.JEOPARDY);
        store().restoreContact();
        awaitStanding(2);
        assertThat(first.terms()).hasSize(1);
    }

    /** While in contact, the proof that removes the doubt is under way. */
    @Test
    void leader_wallClockSetForwardAgainAndAgain_leadsOn() throws Exception {
        Duration step = store().ttl().dividedBy(4);
        try (var clock = SettableClock.of("clock");
                var coordinator = DefaultCoordinator.start(
                        storeAt(store().uri()),
                        clock,
                        task -> new Thread(task).start(),
                        options("tck").ttl(store().ttl()).build())) {
            TckLeader leader = stand(coordinator, "a");
            Leadership leadership = leader.awaitTermAfter(0);

            for (int i = 0; i < 2; i++) {
                clock.setForward(step);
                stays(leader, leadership);
            }

            assertThat(leader.stops()).isEmpty();
        }
    }

    @Test
    void leader_entryRemovedByHand_isToldAndStandsAgain() throws Exception {
        TckLeader first = stand("a");
        long term = first.awaitTermAfter(0).term();

        store().removeEntry(first(steady()).peer());

        assertThat(first.awaitTermAfter(term).term()).isGreaterThan(term);
        assertThat(first.stops()).containsExactly(StopReason.LOST);
    }

    @Test
    void leader_deposed_cannotWriteUnderItsGuard() throws Exception {
        Coordinator baton = coordinator();
        TckLeader first = TckLeader.stand(baton, "a", atWork);
        candidates.add(first);
        Leadership old = first.awaitTermAfter(0);
        var key = baton.records("tck").key("x");
        assertThat(baton.transact(List.of(old.guard()), List.of(Op.put(key, "one"))))
                .isTrue();

        store().removeEntry(first(steady()).peer());

        assertThat(baton.transact(List.of(old.guard()), List.of(Op.put(key, "two"))))
                .isFalse();
        Leadership now = first.awaitTermAfter(old.term());
        assertThat(baton.transact(List.of(now.guard()), List.of(Op.put(key, "three"))))
                .isTrue();
    }

    @Test
    void candidate_closed_leavesNoEntry() throws Exception {
        TckLeader first = stand("a");
        long term = first.awaitTermAfter(0).term();
        TckLeader second = stand("b");
        TckLeader third = stand("c");
        awaitStanding(3);

        second.candidacy().close();
        awaitStanding(2);
        first.candidacy().close();

        third.awaitTermAfter(term);
        awaitStanding(1);
        assertThat(second.terms()).isEmpty();
    }

    @Test
    void coordinator_closedWhileLeading_stopsTheWorkFirst() throws Exception {
        Coordinator closing = coordinator();
        TckLeader first = TckLeader.stand(closing, "a", atWork);
        candidates.add(first);
        long term = first.awaitTermAfter(0).term();
        TckLeader second = stand("b");
        awaitStanding(2);

        closing.close();

        second.awaitTermAfter(term);
        assertThat(first.stops()).containsExactly(StopReason.CLOSED);
        awaitStanding(1);
    }

    @Test
    void observer_leadersFollowEachOther_seesEachOnceAndInOrderAndNobodyInTheEnd() throws Exception {
        LeaderObserver observer = LeaderElection.named(coordinator(), ELECTION).observe();
        List<Optional<Leader>> seen = new CopyOnWriteArrayList<>();
        observer.onChange(seen::add);
        soon().until(() -> seen.equals(List.of(Optional.empty())));
        TckLeader a = stand("a");
        long term = a.awaitTermAfter(0).term();
        TckLeader b = stand("b");
        awaitStanding(2);
        List<Long> terms = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            TckLeader leader = i % 2 == 0 ? a : b;
            term = leader.awaitTermAfter(i == 0 ? 0 : term).term();
            terms.add(term);
            long now = term;
            soon().until(() -> observer.leader().map(Leader::term).equals(Optional.of(now)));
            assertThat(observer.leader().orElseThrow().id()).isEqualTo(i % 2 == 0 ? "a" : "b");
            assertThat(observer.leader().orElseThrow().address()).isEqualTo(i % 2 == 0 ? "a:80" : "b:80");
            outcome(leader.candidacy().resign());
            awaitStanding(2);
        }
        b.candidacy().close();
        a.candidacy().close();

        soon().until(() -> observer.leader().isEmpty());
        // An observer's state changes shortly before its listeners are called.
        soon().until(() -> seen.get(seen.size() - 1).isEmpty());
        assertThat(seen.get(0)).isEmpty();
        List<Long> told =
                seen.stream().flatMap(Optional::stream).map(Leader::term).toList();
        assertThat(told).isSorted().doesNotHaveDuplicates().containsAll(terms);
    }

    @Test
    void observer_awaitLeader_isAnsweredOnceSomebodyLeads() throws Exception {
        LeaderObserver observer = LeaderElection.named(coordinator(), ELECTION).observe();
        assertThat(observer.awaitLeader(Duration.ofMillis(50))).isEmpty();
        TckLeader leader = stand("a");

        Leader seen = observer.awaitLeader();

        assertThat(seen.id()).isEqualTo("a");
        assertThat(seen.term()).isEqualTo(leader.awaitTermAfter(0).term());
    }

    /** Requests for liveness are not counted; their rate does not depend on the number of candidates. */
    @Test
    void succession_manyCandidates_costsNoMoreThanAmongFew() throws Exception {
        double few = requestsPerSuccession(4);
        double many = requestsPerSuccession(40);

        System.out.printf(Locale.ROOT, "requests per succession: %.1f of 4, %.1f of 40 candidates%n", few, many);
        assertThat(many).isLessThan(few + 3);
    }

    /** Requests per succession, of all candidates on four clients and one observer together. */
    private double requestsPerSuccession(int standing) throws Exception {
        AtomicLong requests = new AtomicLong();
        Telemetry counting = new Telemetry() {
            @Override
            public void request(Request event) {
                if (event.kind() != Request.Kind.COMMIT) {
                    requests.incrementAndGet();
                }
            }
        };
        List<Coordinator> clients = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            clients.add(coordinator(counting));
        }
        var unused = LeaderElection.named(coordinator(counting), ELECTION).observe();
        List<TckLeader> all = new ArrayList<>();
        for (int i = 0; i < standing; i++) {
            all.add(TckLeader.stand(clients.get(i % 4), "candidate-" + i, atWork));
        }
        candidates.addAll(all);
        awaitStanding(standing);
        long term = awaitAny(all, 0).candidacy().leadership().orElseThrow().term();
        long before = settled(requests);
        int successions = 20;
        for (int i = 0; i < successions; i++) {
            TckLeader leader = awaitAny(all, term - 1);
            outcome(leader.candidacy().resign());
            term = awaitAny(all, term).awaitTermAfter(term).term();
        }
        awaitStanding(standing);
        long after = settled(requests);
        for (TckLeader each : all) {
            outcome(each.candidacy().closeAsync());
        }
        return (double) (after - before) / successions;
    }

    private static long settled(AtomicLong requests) {
        long[] last = {-1};
        Awaitility.await()
                .pollInterval(Duration.ofMillis(300))
                .atMost(PATIENCE)
                .until(() -> requests.get() - last[0] <= 3 || (last[0] = requests.get()) < 0);
        return requests.get();
    }

    /** Checks repeatedly, as its work does. */
    private void stays(TckLeader leader, Leadership leadership) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(20))
                .during(store().ttl().dividedBy(2))
                .atMost(PATIENCE)
                .failFast("the term has ended", () -> !leader.stops().isEmpty())
                .until(() -> !leadership.remaining().isZero());
    }

    private TckLeader stand(String id) throws InterruptedException {
        return stand(coordinator(), id);
    }

    private TckLeader stand(Coordinator coordinator, String id) {
        TckLeader leader = TckLeader.stand(coordinator, id, atWork);
        candidates.add(leader);
        return leader;
    }

    private static TckLeader awaitAny(List<TckLeader> all, long after) {
        List<TckLeader> found = new ArrayList<>();
        soon().until(() -> {
            found.clear();
            all.stream()
                    .filter(each ->
                            each.candidacy().leadership().map(Leadership::term).orElse(0L) > after)
                    .forEach(found::add);
            return !found.isEmpty();
        });
        return found.get(0);
    }

    /** A client that sees the line through all faults. */
    private TckClient steady() {
        TckClient known = steady;
        if (known == null) {
            known = store().steadyUri().isPresent() ? steadyClient() : client();
            steady = known;
        }
        return known;
    }

    private void awaitStanding(int count) {
        TckClient client = steady();
        soon().until(() -> client.peers(TckLeader.LINE).size() == count);
    }

    private static Entry first(TckClient client) throws InterruptedException {
        Peer first =
                client.ask(session -> session.peers(Line.of(TckLeader.LINE))).get(0);
        return client.details(first).orElseThrow();
    }
}
