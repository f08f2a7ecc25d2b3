package io.baton.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.StoreUnavailableException;
import io.baton.spi.Line;
import io.baton.spi.Link;
import io.baton.spi.Loop;
import io.baton.spi.Place;
import io.baton.spi.Session;
import io.baton.spi.SessionSpec;
import io.baton.spi.Stores;
import io.baton.spi.TreeListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Leases and the controls, in virtual time. What every store has to do is in the testkit's contract suite. */
class MemoryStoreTest {

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final String LINE = "locks/test";
    private static final RecordKey KEY = new RecordKey("test", "key");

    private final String name = UUID.randomUUID().toString();
    private final MemoryStore store = MemoryStore.named(name);
    private final VirtualTime time = new VirtualTime();
    private final VirtualTime.VirtualLoop loop = time.loop();
    private final VirtualTime.VirtualLoop otherLoop = time.loop();
    private final Told told = new Told();
    private final Told otherTold = new Told();

    @AfterEach
    void drop() {
        MemoryStore.drop(name);
    }

    @Test
    void proof_healthySession_liesAheadByTheTtlLessTheMargin() {
        Session session = open("a", loop, told);

        assertThat(left(session)).isEqualTo(TTL.minusMillis(50).minus(TTL.dividedBy(100)));
    }

    @Test
    void proof_beforeContact_isWorthNothing() {
        Session session = store.open(new SessionSpec(TTL, "a"), loop, told);

        assertThat(session.link()).isEqualTo(Link.SUSPENDED);
        assertThat(left(session)).isLessThanOrEqualTo(Duration.ZERO);
        assertThat(told).isEmpty();
    }

    @Test
    void proof_overAnHour_neverFallsBelowHalf() {
        Session session = open("a", loop, told);
        Duration least = left(session);
        for (int i = 0; i < 36_000; i++) {
            time.pass(Duration.ofMillis(100));
            least = left(session).compareTo(least) < 0 ? left(session) : least;
        }
        assertThat(least).isGreaterThan(TTL.multipliedBy(7).dividedBy(10));
    }

    @Test
    void outage_beforeARequest_itHasNoEffectAndTheOutcomeIsUnknown() {
        Session session = open("a", loop, told);
        told.news();
        Outage outage = store.outage("a", Outage.When.BEFORE_REQUEST, 1);

        CompletionStage<Boolean> writing = session.transact(List.of(), List.of(Op.put(KEY, "x")));
        time.settle();

        assertThat(outage.triggeredAt()).contains("transact");
        assertThat(told.news()).containsExactly("suspended", "connected");
        assertThatThrownBy(() -> result(writing)).hasCauseInstanceOf(OutcomeUnknownException.class);
        assertThat(result(session.get(KEY))).isEmpty();
    }

    @Test
    void outage_afterARequest_itHasEffectAndTheOutcomeIsUnknown() {
        Session session = open("a", loop, told);
        told.news();
        store.outage("a", Outage.When.AFTER_REQUEST, 1);

        CompletionStage<Boolean> writing = session.transact(List.of(), List.of(Op.put(KEY, "x")));
        time.settle();

        assertThatThrownBy(() -> result(writing)).hasCauseInstanceOf(OutcomeUnknownException.class);
        assertThat(result(session.get(KEY)).orElseThrow().text()).isEqualTo("x");
    }

    @Test
    void removal_ofTheFirst_isToldBeforeTheNextIsClear() {
        Session session = open("a", loop, told);
        session.join(Line.of(LINE), new byte[0], told.place("one"));
        session.join(Line.of(LINE), new byte[0], told.place("two"));
        session.join(Line.of(LINE), new byte[0], told.place("three"));
        time.settle();
        told.news();

        var removing = session.transact(List.of(), List.of(), store.peers(LINE).subList(0, 2));
        time.settle();

        assertThat(result(removing)).isTrue();
        assertThat(told.news()).containsExactly("one gone", "two gone", "three clear");
    }

    @Test
    void outage_ofTheJoinsAnswer_joinsOnce() {
        Session session = open("a", loop, told);
        told.news();
        store.outage("a", Outage.When.AFTER_REQUEST, 1).then(Outage.When.AFTER_REQUEST, 1);

        session.join(Line.of(LINE), new byte[0], told.place("mine"));
        time.settle();
        time.pass(Duration.ofSeconds(1));

        assertThat(told.news()).containsExactly("suspended", "connected", "mine clear");
        assertThat(store.peers(LINE)).hasSize(1);
    }

    @Test
    void outage_beforeTidings_tellsThemOnceInContact() {
        Session session = open("a", loop, told);
        told.news();
        Session other = open("b", otherLoop, otherTold);
        Place first = other.join(Line.of(LINE), new byte[0], otherTold.place("first"));
        session.join(Line.of(LINE), new byte[0], told.place("second"));
        time.settle();
        told.news();
        Outage outage = store.outage("a", Outage.When.BEFORE_NOTIFICATION, 1);

        first.leave();
        time.settle();

        assertThat(outage.triggeredAt()).contains("clear");
        assertThat(told.news()).containsExactly("suspended", "connected", "second clear");
    }

    @Test
    void outage_otherClientOrCancelled_doesNotStrike() {
        Session session = open("a", loop, told);
        told.news();
        Outage others = store.outage("b", Outage.When.BEFORE_REQUEST, 1);
        Outage cancelled = store.outage("a", Outage.When.BEFORE_REQUEST, 1);
        cancelled.cancel();

        assertThat(result(session.get(KEY))).isEmpty();

        assertThat(others.triggeredAt()).isEmpty();
        assertThat(cancelled.triggeredAt()).isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    void lease_frozenClient_runsOutByTheOthersClock() {
        Session frozen = open("frozen", loop, told);
        Session other = open("other", otherLoop, otherTold);
        frozen.join(Line.of(LINE), new byte[0], told.place("held"));
        time.settle();
        other.join(Line.of(LINE), new byte[0], otherTold.place("next"));
        time.settle();

        loop.freeze();
        time.pass(TTL.minusSeconds(1));
        assertThat(otherTold.news()).containsExactly("connected", "next waits");
        assertThat(left(frozen)).isPositive();
        time.pass(Duration.ofSeconds(4));

        assertThat(otherTold.news()).containsExactly("next clear");
        assertThat(left(frozen)).isLessThanOrEqualTo(Duration.ZERO);
        assertThat(store.sessions()).containsExactly(other.id());
        assertThat(told.news()).containsExactly("connected", "held clear");
        loop.thaw();
        time.settle();
        assertThat(told.news()).containsExactly("held gone", "lost");
    }

    @Test
    void lease_frozenAlone_hasEndedForWhoeverComesNext() {
        Session frozen = open("frozen", loop, told);
        frozen.join(Line.of(LINE), new byte[0], told.place("held"));
        time.settle();
        loop.freeze();
        time.pass(TTL.plusSeconds(1));

        Session next = open("next", otherLoop, otherTold);
        next.join(Line.of(LINE), new byte[0], otherTold.place("next"));
        time.settle();

        assertThat(otherTold).containsExactly("connected", "next clear");
    }

    @Test
    void lease_frozenPastItsEnd_isNotRevivedByALateBeat() {
        Session session = open("a", loop, told);
        session.join(Line.of(LINE), new byte[0], told.place("held"));
        time.settle();
        loop.freeze();
        time.pass(TTL);
        loop.thaw();
        time.settle();

        assertThat(told).endsWith("held gone", "lost");
        assertThat(session.link()).isEqualTo(Link.LOST);
    }

    @Test
    void expireSessions_ofOneClient_leavesTheOthers() {
        Session expired = open("a", loop, told);
        Session kept = open("b", otherLoop, otherTold);

        store.expireSessions("a");
        time.settle();

        assertThat(expired.link()).isEqualTo(Link.LOST);
        assertThat(kept.link()).isEqualTo(Link.CONNECTED);
        store.expireSessions();
        time.settle();
        assertThat(kept.link()).isEqualTo(Link.LOST);
        assertThat(store.sessions()).isEmpty();
    }

    @Test
    void expireSession_whileSuspended_isToldOnResume() {
        Session session = open("a", loop, told);
        session.join(Line.of(LINE), new byte[0], told.place("held"));
        time.settle();
        store.suspend();
        store.expireSession(session.id());
        time.settle();
        assertThat(told.news()).containsExactly("connected", "held clear", "suspended");
        assertThat(store.peers(LINE)).isEmpty();

        store.resume();
        time.settle();

        assertThat(told.news()).containsExactly("held gone", "lost");
    }

    @Test
    void suspend_longerThanTheTtl_endsTheSessionByItsOwnTimer() {
        Session session = open("a", loop, told);
        session.join(Line.of(LINE), new byte[0], told.place("held"));
        time.settle();
        store.suspend();

        time.pass(TTL.plus(TTL.dividedBy(4)));

        assertThat(store.sessions()).isEmpty();
        assertThat(store.peers(LINE)).isEmpty();
        assertThat(left(session)).isLessThanOrEqualTo(Duration.ZERO);
        assertThat(told).doesNotContain("lost");
        store.resume();
        time.settle();
        assertThat(told).endsWith("held gone", "lost");
    }

    @Test
    void suspend_ofOneClient_leavesTheOthers() {
        Session cut = open("a", loop, told);
        Session kept = open("b", otherLoop, otherTold);

        store.suspend("a");
        time.pass(Duration.ofSeconds(5));
        assertThat(cut.link()).isEqualTo(Link.SUSPENDED);
        assertThat(kept.link()).isEqualTo(Link.CONNECTED);

        store.resume();
        time.settle();
        assertThat(cut.link()).isEqualTo(Link.CONNECTED);
        assertThat(left(cut)).isGreaterThan(TTL.multipliedBy(9).dividedBy(10));
    }

    @Test
    void suspend_twice_isToldOnce() {
        open("a", loop, told);
        store.suspend();
        store.suspend("a");
        store.suspend();
        time.settle();
        store.resume();
        store.resume();
        time.settle();

        assertThat(told).containsExactly("connected", "suspended", "connected");
    }

    @Test
    void request_whileSuspended_isAnsweredOnResume() {
        Session session = open("a", loop, told);
        store.suspend();
        time.settle();
        CompletionStage<Boolean> written = session.transact(List.of(), List.of(Op.put(KEY, "one")));
        time.pass(Duration.ofSeconds(5));
        assertThat(written.toCompletableFuture()).isNotDone();

        store.resume();
        time.settle();

        assertThat(written.toCompletableFuture()).isCompletedWithValue(true);
    }

    @Test
    void request_suspendedForLong_isGivenUpAndNeverApplied() {
        Session session = open("a", loop, told);
        open("b", otherLoop, otherTold);
        store.suspend("a");
        time.settle();
        CompletionStage<Boolean> written = session.transact(List.of(), List.of(Op.put(KEY, "one")));

        time.pass(TTL.plusSeconds(1));
        store.resume();
        time.settle();

        assertThatThrownBy(() -> written.toCompletableFuture().join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(StoreUnavailableException.class);
        Session third = open("c", otherLoop, otherTold);
        var read = third.get(KEY).toCompletableFuture();
        time.settle();
        assertThat(read.join()).isEmpty();
    }

    @Test
    void observe_positions_areOneNumberForEachTransactionAndThatOfItsValues() {
        Session session = open("a", loop, told);
        var seen = new ArrayList<String>();
        session.observe("test", new TreeListener() {
            @Override
            public void snapshot(List<Item> all, Position at) {
                seen.add(all.size() + " at " + at);
            }

            @Override
            public void changed(List<Item> put, List<RecordKey> gone, long revision) {
                seen.add(put.size() + " and " + gone.size() + " at " + revision);
                put.forEach(item -> assertThat(item.revision().order()).isEqualTo(revision));
            }
        });
        time.settle();
        RecordKey other = new RecordKey("test", "other");
        session.transact(List.of(), List.of(Op.put(KEY, "1"), Op.put(other, "1")));
        time.settle();
        session.transact(List.of(), List.of(Op.put(new RecordKey("elsewhere", "key"), "1")));
        session.transact(List.of(), List.of(Op.put(KEY, "2"), Op.delete(other)));
        time.settle();
        store.suspend();
        time.settle();
        Session late = open("b", otherLoop, otherTold);
        store.resume();
        time.settle();
        late.transact(List.of(), List.of(Op.put(KEY, "3")));
        time.settle();

        assertThat(seen)
                .containsExactly("0 at " + new Position("mem", 0), "2 and 0 at 1", "1 and 1 at 3", "1 and 0 at 4");
    }

    @Test
    void close_lastSession_leavesNeitherEntriesNorTimers() {
        Session session = open("a", loop, told);
        Place place = session.join(Line.of(LINE), new byte[0], told.place("held"));
        session.transact(List.of(), List.of(Op.put(KEY, "one")));
        time.settle();

        session.close();
        time.settle();
        place.leave();
        time.settle();

        assertThat(told).containsExactly("connected", "held clear", "held gone", "lost");
        assertThat(store.peers(LINE)).isEmpty();
        assertThat(store.sessions()).isEmpty();
        assertThat(loop.isIdle()).isTrue();
    }

    @Test
    void close_whileSuspended_keepsTheEntriesUntilTheLeaseRunsOut() {
        Session closed = open("a", loop, told);
        Session other = open("b", otherLoop, otherTold);
        closed.join(Line.of(LINE), new byte[0], told.place("held"));
        time.settle();
        other.join(Line.of(LINE), new byte[0], otherTold.place("next"));
        store.suspend("a");
        time.settle();

        CompletionStage<Void> done = closed.close();
        time.settle();

        assertThat(done.toCompletableFuture()).isNotDone();
        assertThat(told).endsWith("held gone", "lost");
        assertThat(otherTold).doesNotContain("next clear");
        time.pass(TTL.plus(TTL.dividedBy(4)));
        assertThat(done.toCompletableFuture()).isCompleted();
        assertThat(otherTold).contains("next clear");
        assertThat(loop.isIdle()).isTrue();
    }

    @Test
    void close_whileSuspended_isHeardOnResume() {
        Session closed = open("a", loop, told);
        closed.join(Line.of(LINE), new byte[0], told.place("held"));
        store.suspend();
        time.settle();
        closed.close();
        time.settle();
        assertThat(store.peers(LINE)).hasSize(1);
        List<String> before = List.copyOf(told);

        store.resume();
        time.settle();

        assertThat(store.peers(LINE)).isEmpty();
        assertThat(store.sessions()).isEmpty();
        assertThat(told).isEqualTo(before);
    }

    @Test
    void removeEntry_standing_isToldAndTheNextIsClear() {
        Session session = open("a", loop, told);
        session.join(Line.of(LINE), new byte[0], told.place("held"));
        session.join(Line.of(LINE), new byte[0], told.place("next"));
        time.settle();
        told.news();
        var peer = store.peers(LINE).get(0);

        assertThat(store.removeEntry(peer)).isTrue();
        assertThat(store.removeEntry(peer)).isFalse();
        time.settle();

        assertThat(told.news()).containsExactlyInAnyOrder("held gone", "next clear");
    }

    @Test
    void drop_forgetsTheRecords() {
        Session session = open("a", loop, told);
        session.transact(List.of(), List.of(Op.put(KEY, "one")));
        time.settle();
        session.close();
        time.settle();
        Session later = open("b", loop, told);
        var kept = later.get(KEY).toCompletableFuture();
        time.settle();
        assertThat(kept.join()).isPresent();

        MemoryStore.drop(name);
        time.settle();

        assertThat(later.link()).isEqualTo(Link.LOST);
        Session anew = MemoryStore.named(name).open(new SessionSpec(TTL, "c"), loop, told);
        var read = anew.get(KEY).toCompletableFuture();
        time.settle();
        assertThat(read.join()).isEmpty();
    }

    @Test
    void loop_hasEnded_troublesNobodyElseAndTheEntriesGo() {
        Session gone = open("gone", loop, told);
        Session other = open("other", otherLoop, otherTold);
        gone.join(Line.of(LINE), new byte[0], told.place("held"));
        time.settle();
        other.join(Line.of(LINE), new byte[0], otherTold.place("next"));
        loop.end();

        store.suspend();
        store.resume();
        store.removeEntry(store.peers(LINE).get(0));
        time.pass(TTL.multipliedBy(2));

        assertThat(otherTold).endsWith("next clear");
        assertThat(store.sessions()).containsExactly(other.id());
    }

    @Test
    void open_ttlTooShort_isRaisedAndRefusedIfStrict() {
        Session raised = store.open(new SessionSpec(Duration.ofMillis(249), "a"), loop, told);
        assertThat(raised.timeout()).isEqualTo(Duration.ofMillis(250));
        assertThat(raised.whyTimeoutRaised()).isPresent();
        assertThatThrownBy(() -> store.open(new SessionSpec(Duration.ofMillis(249), "a", true), loop, told))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("249 ms");
        Session shortest = store.open(new SessionSpec(Duration.ofMillis(250), "a"), loop, told);
        time.pass(Duration.ofSeconds(10));
        assertThat(shortest.link()).isEqualTo(Link.CONNECTED);
        assertThat(left(shortest)).isGreaterThan(Duration.ofMillis(125));
    }

    @Test
    void uri_servesTheNamedStoreAndRefusesOthers() {
        assertThat(Stores.at("mem:" + name)).isSameAs(store).hasToString("mem:" + name);
        assertThatThrownBy(() -> Stores.at("mem://host/" + name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("mem:test");
        assertThatThrownBy(() -> MemoryStore.named("")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void exceptions_sayWhoseSessionIsMeant() {
        Session session = open("orders-7", loop, told);
        store.expireSessions();
        time.settle();

        assertThatThrownBy(() -> join(session.get(KEY)))
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("orders-7")
                .hasMessageContaining(session.id());
    }

    private <T> T join(CompletionStage<T> stage) throws Throwable {
        time.settle();
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException failed) {
            throw failed.getCause();
        }
    }

    private Session open(String client, Loop on, Told to) {
        Session session = store.open(new SessionSpec(TTL, client), on, to);
        time.settle();
        return session;
    }

    private <T> T result(CompletionStage<T> answer) {
        time.settle();
        return answer.toCompletableFuture().join();
    }

    private Duration left(Session session) {
        return Duration.ofNanos(session.proof().remainingNanos(loop.nanoTime()));
    }
}
