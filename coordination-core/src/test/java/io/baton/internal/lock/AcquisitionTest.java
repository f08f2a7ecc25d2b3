package io.baton.internal.lock;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinatorOptions;
import io.baton.HoldState;
import io.baton.Item;
import io.baton.LockLostException;
import io.baton.LockOptions;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.TooManyWaitersException;
import io.baton.Trouble;
import io.baton.internal.HandLoop;
import io.baton.internal.ScriptedStore;
import io.baton.internal.callback.ClientCallbacks;
import io.baton.internal.telemetry.Reporter;
import io.baton.internal.telemetry.Troubles;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Resource;
import io.baton.spi.Claim;
import io.baton.spi.Condition;
import io.baton.spi.Entry;
import io.baton.spi.Peer;
import io.baton.spi.PlaceListener;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.helpers.NOPLogger;

/** One acquisition, step by step, on a session whose every word is the test's. */
@Timeout(60)
class AcquisitionTest {

    private static final Duration LIMIT = Duration.ofSeconds(1);
    private static final Duration MINIMUM = ScriptedStore.TIMEOUT.dividedBy(4);

    private final HandLoop loop = new HandLoop();
    private final ScriptedStore store = new ScriptedStore(loop);
    private final ClientLoop own = new ClientLoop(loop);
    private final Troubles troubles =
            new Troubles("here", () -> Instant.ofEpochMilli(loop.wallMillis()), loop::nanoTime, NOPLogger.NOP_LOGGER);
    private Acquisitions all = new Acquisitions(
            own,
            ClientCallbacks.on(loop),
            CoordinatorOptions.defaults(),
            silent(),
            NobodyAsks.on(own, ClientCallbacks.on(loop)),
            store.guarantees());

    private Reporter silent() {
        return new Reporter(own, ClientCallbacks.on(loop), List.of());
    }

    private final SessionListener listener = new SessionEvents(() -> this.all, store);

    private static Acquisition begin(Acquisitions all, boolean noWait, @Nullable Duration limit) {
        Resource lock = Resource.lock("orders");
        return all.begin(lock, new LineContender(lock.line(), Claim.EXCLUSIVE), noWait, limit);
    }

    private CompletableFuture<Optional<FencedHold>> begin(boolean noWait, Duration limit) {
        store.open(new SessionSpec(ScriptedStore.TIMEOUT, "test"), loop, listener);
        store.connect();
        Acquisition begun = begin(all, noWait, limit);
        loop.run();
        return begun.decision();
    }

    private CompletableFuture<Optional<FencedHold>> begin() {
        return begin(false, null);
    }

    private FencedHold granted(CompletableFuture<Optional<FencedHold>> decision) {
        assertThat(decision).isCompleted();
        return decision.join().orElseThrow();
    }

    @Test
    void clear_provenWithMoreThanTheMinimum_isGranted() {
        var decision = begin();
        store.provenFor(MINIMUM.plusNanos(1));

        store.clear();

        assertThat(granted(decision).remaining()).isEqualTo(MINIMUM.plusNanos(1));
    }

    @Test
    void settle_sessionHasEnded_aRemovalThatIsOwedIsConfirmedByThat() {
        FencedHold hold = held();
        var removed = hold.releaseAsync();
        loop.run();
        assertThat(removed).isNotDone();

        all.endRemovals(true);
        loop.run();

        assertThat(removed).isCompleted();
    }

    @Test
    void settle_endOfTheSessionIsUnknown_aRemovalThatIsOwedIsNotConfirmed() {
        FencedHold hold = held();
        var removed = hold.releaseAsync();
        loop.run();

        all.endRemovals(false);
        loop.run();

        assertThat(removed).isCompletedExceptionally();
    }

    private FencedHold held() {
        var decision = begin();
        store.provenFor(MINIMUM.multipliedBy(3));
        store.clear();
        return granted(decision);
    }

    @Test
    void connected_smallerTimeoutGranted_bringsTheDeadlineForward() {
        var decision = begin();
        store.provenFor(MINIMUM.multipliedBy(3));
        store.clear();
        FencedHold hold = granted(decision);
        store.suspend();

        store.reconnectWithLess(MINIMUM);

        assertThat(hold.remaining()).isEqualTo(MINIMUM);
        loop.pass(MINIMUM);
        assertThat(store.asked).contains("leave");
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
    }

    @Test
    void clear_noMoreThanTheMinimumLeft_waitsForAProof() {
        var decision = begin();
        store.provenFor(MINIMUM);

        store.clear();

        assertThat(decision).isNotDone();
        assertThat(store.asked).endsWith("prove");
        store.provenFor(MINIMUM.plusNanos(1));
        assertThat(granted(decision).remaining()).isEqualTo(MINIMUM.plusNanos(1));
    }

    @Test
    void clear_machineMayHaveSlept_waitsForAProof() {
        var decision = begin();
        loop.jumpWall(ScriptedStore.TIMEOUT);

        store.clear();

        assertThat(decision).isNotDone();
        assertThat(store.asked).endsWith("prove");
    }

    @Test
    void clear_outOfContactThoughProven_waitsForContact() {
        var decision = begin();
        store.suspend();

        store.clear();

        assertThat(decision).isNotDone();
        store.provenFor(ScriptedStore.TIMEOUT);
        assertThat(decision).isNotDone();
        store.connect();
        assertThat(granted(decision).state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void timeout_joinNotAnsweredOutOfContact_saysTheStoreIsOutOfReach() {
        var decision = begin(false, LIMIT);
        store.suspend();

        loop.pass(LIMIT);

        assertThatThrownBy(decision::get).hasCauseInstanceOf(StoreUnavailableException.class);
        assertThat(store.asked).endsWith("leave");
    }

    @Test
    void timeout_joinNotAnsweredYetInContact_isNotInTime() {
        var decision = begin(false, LIMIT);

        loop.pass(LIMIT);

        assertThat(decision).isCompletedWithValue(Optional.empty());
        assertThat(store.asked).endsWith("leave");
    }

    @Test
    void timeout_waitsBehindOthers_isNotInTimeEvenOutOfContact() {
        var decision = begin(false, LIMIT);
        store.standing.waiting();
        store.suspend();

        loop.pass(LIMIT);

        assertThat(decision).isCompletedWithValue(Optional.empty());
        assertThat(store.asked).endsWith("leave");
    }

    @Test
    void timeout_clearButNeverProven_leaves() {
        var decision = begin(false, LIMIT);
        store.suspend();
        store.clear();

        loop.pass(LIMIT);

        assertThat(decision).isCompletedWithValue(Optional.empty());
        assertThat(store.asked).endsWith("leave");
    }

    @Test
    void timeout_noSessionAtAll_saysTheStoreIsOutOfReach() {
        Acquisition begun = begin(all, false, LIMIT);

        loop.pass(LIMIT);

        assertThatThrownBy(begun.decision()::get)
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("orders", "1 s");
    }

    @Test
    void noWait_lineTaken_asksOneQuestionAndJoinsNothing() {
        var decision = begin(true, LIMIT);

        store.free.complete(false);

        assertThat(decision).isCompletedWithValue(Optional.empty());
        assertThat(store.asked).containsExactly("open", "free locks/orders");
    }

    @Test
    void noWait_takenBetweenTheQuestionAndTheJoin_leavesAtOnce() {
        var decision = begin(true, LIMIT);
        store.free.complete(true);

        store.standing.waiting();

        assertThat(decision).isCompletedWithValue(Optional.empty());
        assertThat(store.asked).containsExactly("open", "free locks/orders", "join locks/orders", "leave");
    }

    @Test
    void noWait_noAnswerInTime_saysTheStoreIsOutOfReachAndNeverJoins() {
        var decision = begin(true, LIMIT);
        loop.pass(LIMIT);

        store.free.complete(true);

        assertThatThrownBy(decision::get).hasCauseInstanceOf(StoreUnavailableException.class);
        assertThat(store.asked).doesNotContain("join locks/orders");
    }

    @Test
    void noWait_storeSaysWhyItGrantsNothing_failsWithThatReasonInTime() {
        var decision = begin(true, LIMIT);
        store.grantNothing("only silent owners are in the way");

        loop.pass(LIMIT);

        assertThatThrownBy(decision::get)
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("only silent owners are in the way");
    }

    @Test
    void noWait_questionFails_failsLikeIt() {
        var decision = begin(true, LIMIT);

        store.free.completeExceptionally(new SessionLostException("over"));

        assertThatThrownBy(decision::get)
                .hasCauseInstanceOf(SessionLostException.class)
                .hasMessageContaining("over");
    }

    @Test
    void gone_held_isLostForTheStoresReason() {
        var decision = begin();
        store.clear();
        FencedHold hold = granted(decision);

        store.standing.lost(new LockLostException("an operator removed it"));

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThatThrownBy(() -> hold.ensureValid(Duration.ZERO)).hasMessageContaining("an operator removed it");
        assertThat(store.asked).doesNotContain("leave");
    }

    @Test
    void deadline_held_isLostAndTheEntryIsGivenUp() {
        var decision = begin();
        store.clear();
        FencedHold hold = granted(decision);

        loop.pass(ScriptedStore.TIMEOUT);

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(store.asked).endsWith("leave");
        assertThat(loop.timers()).isZero();
    }

    @Test
    void proven_heldAndAgainAndAgain_movesTheDeadline() {
        var decision = begin();
        store.clear();
        FencedHold hold = granted(decision);

        for (int i = 0; i < 10; i++) {
            loop.pass(ScriptedStore.TIMEOUT.minusMillis(1));
            store.provenFor(ScriptedStore.TIMEOUT);
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            assertThat(hold.remaining()).isEqualTo(ScriptedStore.TIMEOUT);
        }
        loop.pass(ScriptedStore.TIMEOUT);
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
    }

    @Test
    void proven_heldPastTheDeadline_isLostAllTheSame() {
        var decision = begin();
        store.clear();
        FencedHold hold = granted(decision);
        loop.freeze(ScriptedStore.TIMEOUT);

        store.provenFor(ScriptedStore.TIMEOUT);

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(store.asked).endsWith("leave");
    }

    // ---- a lock that rests

    private FencedHold heldOfALockThatRests() {
        store.applies = true;
        store.open(new SessionSpec(ScriptedStore.TIMEOUT, "test"), loop, listener);
        store.connect();
        Resource lock = Resource.lock("orders");
        LockOptions options =
                LockOptions.builder().delayAfterLoss(Duration.ofHours(1)).build();
        Acquisition begun = all.begin(lock, new DelayingContender(lock, options, all, troubles), false, null);
        loop.run();
        store.clear();
        loop.run();
        assertThat(store.written).hasSize(1);
        return granted(begun.decision());
    }

    @Test
    void release_ofALockThatRests_saysSoWithTheRemoval() {
        var removed = heldOfALockThatRests().releaseAsync();
        loop.run();

        assertThat(removed).isCompleted();
        assertThat(store.written).hasSize(2);
        assertThat(store.written.get(1)).contains("released=");
        assertThat(store.asked).doesNotContain("leave");
    }

    @Test
    void release_beforeItsTime_isCountedApartUntilTheEntryGoes() {
        all = new Acquisitions(
                own,
                ClientCallbacks.on(loop),
                CoordinatorOptions.builder().maxWaiting(1).build(),
                silent(),
                NobodyAsks.on(own, ClientCallbacks.on(loop)),
                store.guarantees());
        LockOptions options =
                LockOptions.builder().holdAtLeast(Duration.ofSeconds(3)).build();
        Resource lock = Resource.lock("orders");
        var contender = new DelayingContender(lock, options, all, troubles);
        store.applies = true;
        store.left.complete(null);
        store.open(new SessionSpec(ScriptedStore.TIMEOUT, "test"), loop, listener);
        store.connect();
        Acquisition begun = all.begin(lock, contender, false, null);
        loop.run();
        store.clear();
        loop.run();
        var released = granted(begun.decision()).releaseAsync();
        loop.run();
        assertThat(released).isCompleted();

        assertThatThrownBy(() -> all.begin(lock, contender, false, null))
                .isInstanceOf(TooManyWaitersException.class)
                .hasMessageContainingAll("1 released holds are kept by holdAtLeast", "maxWaiting", "lock 'orders'");
        Resource another = Resource.lock("stock");
        Acquisition other = all.begin(another, new LineContender(another.line(), Claim.EXCLUSIVE), false, null);
        loop.run();
        assertThat(other.decision()).isNotDone();
        other.giveUp();
        loop.pass(Duration.ofSeconds(3));
        all.begin(lock, contender, false, null);
    }

    /** The session ends once the record is written, and before the hold is granted: nobody had that hold. */
    @Test
    void rest_afterAHoldThatWasNeverGranted_keepsNobodyOut() {
        rejoining();
        LockOptions options =
                LockOptions.builder().delayAfterLoss(Duration.ofHours(1)).build();
        Resource lock = Resource.lock("orders");
        store.applies = true;
        store.open(new SessionSpec(ScriptedStore.TIMEOUT, "test"), loop, listener);
        store.connect();
        Acquisition begun = all.begin(lock, new DelayingContender(lock, options, all, troubles), false, null);
        loop.run();
        store.provenFor(MINIMUM);
        store.clear();
        loop.run();
        assertThat(store.written).hasSize(1);
        assertThat(begun.decision()).isNotDone();
        putOnRecord();

        end();
        store.provenFor(ScriptedStore.TIMEOUT);
        store.connect();
        loop.run();

        assertThat(store.written).hasSize(2);
        assertThat(store.written.get(1)).as("for the others").contains("released=");
        Peer next = new Peer(lock.line(), "next", 8);
        store.standing.clear(new Entry(next, 8, new byte[0], "scripted"));
        loop.run();
        assertThat(granted(begun.decision()).token()).isEqualTo(8);
    }

    /** Who was removed meanwhile, and has not heard of it, must not note that a later hold is gone. */
    @Test
    void rest_isNotedOnlyWhileTheOwnEntryStands() {
        LockOptions options =
                LockOptions.builder().delayAfterLoss(Duration.ofHours(1)).build();
        Resource lock = Resource.lock("orders");
        DelayRecord other = DelayRecord.granted(options, 3, loop.wallMillis());
        store.record = Optional.of(new Item(
                lock.record(DelayRecord.TREE), ((Op.Put) other.put(lock.record(DelayRecord.TREE))).value(), () -> 1));
        store.open(new SessionSpec(ScriptedStore.TIMEOUT, "test"), loop, listener);
        store.connect();
        Acquisition begun = all.begin(lock, new DelayingContender(lock, options, all, troubles), false, null);
        loop.run();

        store.clear();
        loop.run();

        assertThat(begun.decision()).isNotDone();
        assertThat(store.written).singleElement().asString().contains("gone=");
        assertThat(store.conditions).contains(new Condition.Stands(store.entry().peer()));
    }

    private Acquisition firstInTheLineOfALockThatRests() {
        store.applies = true;
        store.open(new SessionSpec(ScriptedStore.TIMEOUT, "test"), loop, listener);
        store.connect();
        return beginOnALockThatRests();
    }

    private Acquisition beginOnALockThatRests() {
        Resource lock = Resource.lock("orders");
        LockOptions options = LockOptions.builder()
                .holdAtLeast(Duration.ofHours(1))
                .delayAfterLoss(Duration.ofHours(1))
                .build();
        Acquisition begun = all.begin(lock, new DelayingContender(lock, options, all, troubles), false, null);
        loop.run();
        return begun;
    }

    /** What was written last of the lock that rests is on record. */
    private void putOnRecord() {
        RecordKey key = Resource.lock("orders").record(DelayRecord.TREE);
        store.record = Optional.of(
                new Item(key, store.written.get(store.written.size() - 1).getBytes(UTF_8), () -> 1));
    }

    /** In the next session, another object of the lock that rests gets it at once. */
    private void assertThatNobodyIsKeptOut() {
        store.provenFor(ScriptedStore.TIMEOUT);
        store.connect();
        Acquisition begun = beginOnALockThatRests();
        Peer next = new Peer(Resource.lock("orders").line(), "next", 8);
        store.standing.clear(new Entry(next, 8, new byte[0], "scripted"));
        loop.run();
        assertThat(granted(begun.decision()).token()).isEqualTo(8);
    }

    @Test
    void rest_afterAHoldThatWasNeverGranted_keepsNoOtherObjectOfTheLockOut() {
        Acquisition begun = firstInTheLineOfALockThatRests();
        store.provenFor(MINIMUM);
        store.clear();
        loop.run();
        putOnRecord();

        end();

        assertThat(begun.decision()).isCompletedExceptionally();
        assertThatNobodyIsKeptOut();
    }

    /** The session ends before the store has taken that the record of that hold counts for nothing. */
    @Test
    void rest_afterAHoldThatWasGivenUpBeforeTheSessionEnded_keepsNobodyOut() {
        Acquisition begun = firstInTheLineOfALockThatRests();
        store.provenFor(MINIMUM);
        store.clear();
        loop.run();
        putOnRecord();
        var removal = new CompletableFuture<Boolean>();
        store.outcomes.add(removal);

        begun.cancel();
        loop.run();
        end();
        removal.completeExceptionally(new SessionLostException("expired"));

        assertThat(begun.decision()).isCompletedWithValue(Optional.empty());
        assertThatNobodyIsKeptOut();
    }

    @Test
    void rest_afterAHoldThatWasNeverGranted_isTakenBackOnRecordOnce() {
        firstInTheLineOfALockThatRests();
        store.provenFor(MINIMUM);
        store.clear();
        loop.run();
        putOnRecord();
        end();
        store.connect();

        beginOnALockThatRests();
        putOnRecord();
        beginOnALockThatRests();

        assertThat(store.written).hasSize(2);
        assertThat(store.written.get(1)).as("for the others").contains("at=0").contains("released=");
    }

    @Test
    void rest_readAgainAndAgainInVain_isReportedAndGrantedOnceItIsRead() {
        Acquisition begun = firstInTheLineOfALockThatRests();
        store.recordFails = new StoreUnavailableException("too many requests");
        store.clear();
        for (int i = 0; i < 20; i++) {
            loop.pass(ScriptedStore.TIMEOUT.dividedBy(2));
            store.provenFor(ScriptedStore.TIMEOUT);
        }

        assertThat(begun.decision()).isNotDone();
        assertThat(troubles.present())
                .singleElement()
                .extracting(Trouble::what, Trouble::why)
                .containsExactly("Cannot acquire lock 'orders'", "too many requests");
        store.recordFails = null;
        loop.pass(Duration.ofSeconds(1));
        assertThat(granted(begun.decision()).state()).isEqualTo(HoldState.HELD);
        assertThat(troubles.present()).isEmpty();
    }

    @Test
    void rest_readInVainAndGivenUp_isNoTroubleAnyMore() {
        Acquisition begun = firstInTheLineOfALockThatRests();
        store.recordFails = new StoreUnavailableException("too many requests");
        store.clear();
        loop.pass(ScriptedStore.TIMEOUT.dividedBy(2));
        assertThat(troubles.present()).hasSize(1);

        begun.cancel();
        loop.run();

        assertThat(troubles.present()).isEmpty();
        assertThat(store.asked).endsWith("leave");
    }

    /** The first writing of the record has been applied, and only its answer was lost. */
    @Test
    void cancel_ofAHoldThatMayBeOnRecord_writesThatItKeepsNobodyOut() {
        Acquisition begun = firstInTheLineOfALockThatRests();
        store.outcomes.add(CompletableFuture.failedStage(new OutcomeUnknownException("no answer")));
        store.outcomes.add(CompletableFuture.failedStage(new StoreUnavailableException("too many requests")));
        store.clear();
        loop.run();
        putOnRecord();
        while (store.written.size() < 2) {
            loop.pass(Duration.ofMillis(1));
        }

        begun.cancel();
        loop.run();

        assertThat(store.written).hasSize(3);
        assertThat(store.written.get(2)).contains("at=0").contains("released=");
        assertThat(store.asked).as("the same transaction removes the entry").doesNotContain("leave");
    }

    @Test
    void deadline_ofALockThatRests_saysNothingOnRecord() {
        FencedHold hold = heldOfALockThatRests();

        loop.pass(ScriptedStore.TIMEOUT);

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(store.written).hasSize(1);
        assertThat(store.asked).endsWith("leave");
    }

    // ---- the session ends while waiting

    private void rejoining() {
        CoordinatorOptions options =
                CoordinatorOptions.builder().rejoin(true).closeTimeout(LIMIT).build();
        all = new Acquisitions(
                own,
                ClientCallbacks.on(loop),
                options,
                silent(),
                NobodyAsks.on(own, ClientCallbacks.on(loop)),
                store.guarantees());
    }

    /** The store ends the session: places are told first. */
    private void end() {
        store.standing.lost(new SessionLostException("expired"));
        all.lost();
    }

    private long joins() {
        return store.asked.stream().filter("join locks/orders"::equals).count();
    }

    @Test
    void ended_waiting_failsUnlessAskedToJoinAgain() {
        var decision = begin();
        store.standing.waiting();

        end();

        assertThatThrownBy(decision::get).hasCauseInstanceOf(SessionLostException.class);
        store.connect();
        assertThat(joins()).isEqualTo(1);
    }

    @Test
    void ended_waitingAndToJoinAgain_joinsOnceInTheNextSession() {
        rejoining();
        var decision = begin();
        store.standing.waiting();

        end();
        assertThat(decision).isNotDone();
        assertThat(joins()).isEqualTo(1);
        store.connect();
        store.connect();

        assertThat(joins()).isEqualTo(2);
        store.clear();
        assertThat(granted(decision).state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void ended_clearButNotProven_isNotGrantedInTheNextSessionBeforeItsOwnPlaceIsClear() {
        rejoining();
        var decision = begin();
        store.suspend();
        store.clear();

        end();
        store.connect();
        store.provenFor(ScriptedStore.TIMEOUT);

        assertThat(decision).isNotDone();
        assertThat(joins()).isEqualTo(2);
        store.clear();
        assertThat(decision).isCompleted();
    }

    @Test
    void ended_oldPlaceStillSpeaks_isNotHeard() {
        rejoining();
        var decision = begin();
        PlaceListener old = store.standing;
        old.waiting();
        end();
        old.clear(store.entry());
        assertThat(decision).isNotDone();
        store.connect();

        old.clear(store.entry());
        old.lost(new LockLostException("removed"));

        assertThat(decision).isNotDone();
        store.clear();
        assertThat(decision).isCompleted();
    }

    @Test
    void ended_toldOnlyAfterTheNextSessionCame_joinsInThatOne() {
        rejoining();
        begin();
        PlaceListener old = store.standing;
        ScriptedStore next = new ScriptedStore(loop);
        all.connected(next);

        old.lost(new SessionLostException("expired"));

        assertThat(next.asked).containsExactly("join locks/orders");
    }

    @Test
    void ended_timeLimitPassesBetweenSessions_isNotInTimeAndNeverJoinsAgain() {
        rejoining();
        var decision = begin(false, LIMIT);
        store.standing.waiting();
        loop.pass(LIMIT.dividedBy(2));
        end();

        loop.pass(LIMIT.dividedBy(2));

        assertThat(decision).isCompletedWithValue(Optional.empty());
        store.connect();
        assertThat(joins()).isEqualTo(1);
        assertThat(store.asked).doesNotContain("leave");
    }

    @Test
    void ended_timeLimitPassesInTheNextSession_leavesThatOne() {
        rejoining();
        var decision = begin(false, LIMIT);
        store.standing.waiting();
        loop.pass(LIMIT.dividedBy(2));
        end();
        store.connect();
        store.standing.waiting();

        loop.pass(LIMIT.dividedBy(2));

        assertThat(decision).isCompletedWithValue(Optional.empty());
        assertThat(store.asked).endsWith("leave");
    }

    @Test
    void ended_givenUpBetweenSessions_neverJoinsAgain() {
        rejoining();
        store.open(new SessionSpec(ScriptedStore.TIMEOUT, "test"), loop, listener);
        store.connect();
        Acquisition begun = begin(all, false, null);
        loop.run();
        end();

        begun.giveUp();
        loop.run();

        assertThat(begun.decision()).isCompletedWithValue(Optional.empty());
        store.connect();
        assertThat(joins()).isEqualTo(1);
    }

    @Test
    void ended_closedBetweenSessions_failsAndNeverJoinsAgain() {
        rejoining();
        var decision = begin();
        end();

        all.close();

        assertThatThrownBy(decision::get).hasMessageContaining("closed");
        store.connect();
        assertThat(joins()).isEqualTo(1);
    }

    @Test
    void ended_grantedAfterJoiningAgainAndThenPastTheDeadline_isLostForThatReason() {
        rejoining();
        var decision = begin();
        end();
        store.connect();
        store.provenFor(ScriptedStore.TIMEOUT);
        store.clear();
        FencedHold hold = granted(decision);

        loop.pass(ScriptedStore.TIMEOUT);

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThatThrownBy(() -> hold.ensureValid(Duration.ZERO)).hasMessageContaining("did not confirm");
    }

    @Test
    void ended_heldAndToJoinAgain_isLost() {
        rejoining();
        var decision = begin();
        store.clear();
        FencedHold hold = granted(decision);

        end();
        store.connect();

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(joins()).isEqualTo(1);
    }

    @Test
    void ended_noWaitAndToJoinAgain_fails() {
        rejoining();
        var decision = begin(true, LIMIT);
        store.free.complete(true);

        end();

        assertThatThrownBy(decision::get).hasCauseInstanceOf(SessionLostException.class);
    }

    @Test
    void gone_waitingAndToJoinAgainButRemovedBySomebody_fails() {
        rejoining();
        var decision = begin();
        store.standing.waiting();

        store.standing.lost(new LockLostException("an operator removed it"));

        assertThatThrownBy(decision::get).hasCauseInstanceOf(LockLostException.class);
        store.connect();
        assertThat(joins()).isEqualTo(1);
    }

    @Test
    void release_removalNotConfirmed_staysOwed() {
        var decision = begin();
        store.clear();
        CompletableFuture<Void> released = granted(decision).releaseAsync();
        loop.run();
        assertThat(store.asked).endsWith("leave");
        assertThat(released).isNotDone();

        store.left.complete(null);
        loop.run();

        assertThat(released).isCompleted();
    }
}
