package io.baton.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinatorOptions;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.LockOptions;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.StoreUnavailableException;
import io.baton.TooManyWaitersException;
import io.baton.internal.HandLoop;
import io.baton.internal.ScriptedStore;
import io.baton.internal.callback.ClientCallbacks;
import io.baton.internal.session.Requests;
import io.baton.internal.telemetry.Reporter;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Resource;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.SessionSpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A place that owners share, step by step, on a session whose every word is the test's. */
@Timeout(60)
class CohortTest {

    private static final Duration LIMIT = Duration.ofSeconds(1);
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration MINIMUM = ScriptedStore.TIMEOUT.dividedBy(4);
    private static final Resource LOCK = Resource.lock("orders");

    private final HandLoop loop = new HandLoop();
    private final ScriptedStore store = new ScriptedStore(loop);
    private final ClientLoop own = new ClientLoop(loop);
    private final ClientCallbacks callbacks = ClientCallbacks.on(loop);
    private final Acquisitions all = with(CoordinatorOptions.defaults());
    private AcquireAttempts cohort =
            all.cohort(LOCK, LockOptions.builder().cohort(3, LONG).build());

    private Acquisitions with(CoordinatorOptions options) {
        return new Acquisitions(
                own,
                callbacks,
                options,
                new Reporter(own, callbacks, List.of()),
                NobodyAsks.on(own, callbacks),
                store.guarantees());
    }

    @BeforeEach
    void connect() {
        store.open(new SessionSpec(ScriptedStore.TIMEOUT, "test"), loop, new SessionEvents(() -> all, store));
        store.connect();
    }

    private CompletableFuture<Optional<FencedHold>> begin() {
        var decision = cohort.begin(false, null).decision();
        loop.run();
        return decision;
    }

    private CompletableFuture<Optional<FencedHold>> tryAcquire() {
        var decision = cohort.begin(true, LIMIT).decision();
        loop.run();
        return decision;
    }

    private static FencedHold granted(CompletableFuture<Optional<FencedHold>> decision) {
        assertThat(decision).isCompleted();
        return decision.join().orElseThrow();
    }

    /** The place is clear, and its first owner has it. */
    private FencedHold first() {
        var decision = begin();
        store.clear();
        loop.run();
        return granted(decision);
    }

    private void release(FencedHold hold) {
        var unused = hold.startRelease();
        loop.run();
    }

    private void stand(String... names) {
        store.lookers
                .get(store.lookers.size() - 1)
                .accept(List.of(names).stream()
                        .map(name -> new Peer(Line.of("locks/orders"), name, 7))
                        .toList());
        loop.run();
    }

    @Test
    void release_sessionIsProven_nextHasTheSameEntryAndTheNextTurn() {
        FencedHold former = first();
        var next = begin();
        assertThat(next).isNotDone();

        release(former);

        FencedHold hold = granted(next);
        assertThat(hold.token()).isEqualTo(former.token());
        assertThat(hold.turn()).isGreaterThan(former.turn());
        assertThat(former.state()).isEqualTo(HoldState.RELEASED);
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        assertThat(store.asked).doesNotContain("leave");
    }

    @Test
    void release_sessionIsProvenForLittleOnly_placeIsLeft() {
        FencedHold former = first();
        var next = begin();
        loop.pass(ScriptedStore.TIMEOUT.minus(MINIMUM));

        release(former);

        assertThat(next).isNotDone();
        assertThat(store.asked).endsWith("leave", "stop observing locks/orders", "join locks/orders");
    }

    @Test
    void release_outOfContact_placeIsLeft() {
        FencedHold former = first();
        var next = begin();
        store.suspend();

        release(former);

        assertThat(next).isNotDone();
        assertThat(store.asked).contains("leave");
    }

    @Test
    void release_ownerHasSeenItsDeadlinePass_nextIsNotGrantedThoughThereIsANewerProof() {
        FencedHold former = first();
        var next = begin();
        loop.freeze(ScriptedStore.TIMEOUT);
        assertThat(former.state()).isEqualTo(HoldState.LOST);
        var unused = former.startRelease();
        store.provenFor(ScriptedStore.TIMEOUT);
        loop.run();

        assertThat(next).isNotDone();
        assertThat(store.asked).contains("leave");
    }

    @Test
    void release_othersStandInTheLine_soManyInARow() {
        FencedHold hold = first();
        stand("mine", "another");
        for (int i = 0; i < 3; i++) {
            var next = begin();
            release(hold);
            hold = granted(next);
        }
        var next = begin();

        release(hold);

        assertThat(next).isNotDone();
        assertThat(store.asked).contains("leave");
    }

    @Test
    void release_lineIsNotSeenThoughLookedAtAnew_stillSoManyInARow() {
        FencedHold hold = first();
        for (int i = 0; i < 3; i++) {
            passInContact();
            var next = begin();
            release(hold);
            hold = granted(next);
        }
        assertThat(store.lookers).as("looks at the line").hasSizeGreaterThan(1);
        passInContact();
        var next = begin();

        release(hold);

        assertThat(next).isNotDone();
        assertThat(store.asked).contains("leave");
    }

    /** More than the time after which the line is looked at anew. */
    private void passInContact() {
        for (int i = 0; i < 3; i++) {
            loop.pass(Duration.ofSeconds(5));
            store.provenFor(ScriptedStore.TIMEOUT);
        }
    }

    @Test
    void release_ownEntryIsNotInTheLineAnyMore_placeIsLeft() {
        FencedHold hold = first();
        stand("mine");
        stand();
        var next = begin();

        release(hold);

        assertThat(next).isNotDone();
        assertThat(store.asked).contains("leave");
    }

    @Test
    void release_lineWasNotSeenForLong_placeDoesNotLinger() {
        cohort = all.cohort(LOCK, LockOptions.builder().linger(LONG).build());
        FencedHold hold = first();
        loop.pass(Duration.ofMillis(1_100));
        store.provenFor(ScriptedStore.TIMEOUT);

        release(hold);

        assertThat(store.asked).contains("leave");
    }

    @Test
    void release_writeIsUnderWay_nextWaitsForItsAnswer() {
        FencedHold former = first();
        var next = begin();
        former.guardedWrites().begin();

        release(former);
        assertThat(next).isNotDone();
        former.guardedWrites().end(false);
        loop.run();

        assertThat(granted(next).token()).isEqualTo(former.token());
    }

    @Test
    void release_writeIsInDoubt_placeIsLeft() {
        FencedHold former = first();
        var next = begin();
        former.guardedWrites().begin();
        release(former);

        former.guardedWrites().end(true);
        loop.run();

        assertThat(next).isNotDone();
        assertThat(store.asked).contains("leave");
    }

    /** Sends a transaction under these guards. */
    private CompletableFuture<Boolean> write(Guard... guards) {
        var requests = new Requests(own, LIMIT);
        requests.connected(store);
        return new Transactions(own, requests, store.guarantees())
                .apply(Arrays.asList(guards), List.of(Op.put(new RecordKey("prices", "today"), new byte[0])));
    }

    @Test
    void release_writeHadAGuardThatIsNull_nextHasTheSameEntry() {
        FencedHold former = first();
        var next = begin();
        assertThatThrownBy(() -> write(Guard.held(former), null)).isInstanceOf(IllegalArgumentException.class);

        release(former);

        assertThat(granted(next).token()).isEqualTo(former.token());
    }

    /** As a stack that is full just then: nothing says how far the write has got. */
    @Test
    void release_writeBrokeOffWithAnError_placeIsLeft() {
        FencedHold former = first();
        var next = begin();
        var broken = new StackOverflowError();
        Hold handle = new ForwardingHold(former) {
            @Override
            public HoldState state() {
                throw broken;
            }
        };
        assertThatThrownBy(() -> write(Guard.held(handle))).isSameAs(broken);

        release(former);

        assertThat(next).isNotDone();
        assertThat(store.asked).contains("leave");
    }

    @Test
    void release_moreCohortsThanMayLinger_waitsForTheRemoval() {
        LockOptions lingering = LockOptions.builder().linger(LONG).build();
        for (int i = 0; i < 1_000; i++) {
            var unused = all.cohort(Resource.lock("other" + i), lingering).begin(false, null);
        }
        cohort = all.cohort(LOCK, lingering);
        FencedHold hold = first();
        stand("mine");

        var released = hold.startRelease();
        loop.run();

        assertThat(released).isNotDone();
        store.left.complete(null);
        loop.run();
        assertThat(released).isCompleted();
    }

    @Test
    void tryAcquire_ownPlaceCannotBePassedOn_asksOnceItsEntryIsGone() {
        lingerFor(LONG);
        store.proveFor(MINIMUM);
        store.free.complete(true);

        var decision = tryAcquire();
        assertThat(store.asked).contains("leave").doesNotContain("free locks/orders");
        store.provenFor(ScriptedStore.TIMEOUT);
        store.left.complete(null);
        loop.run();
        store.clear();
        loop.run();

        assertThat(granted(decision).state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void tryAcquire_ownPlaceWasLeftBefore_asksOnceItsEntryIsGone() {
        lingerFor(SHORT);
        loop.pass(SHORT);
        assertThat(store.asked).contains("leave");

        var decision = tryAcquire();
        assertThat(store.asked).doesNotContain("free locks/orders");
        store.left.completeExceptionally(new StoreUnavailableException("not now"));
        loop.run();

        assertThat(store.asked).as("as it stays unknown").contains("free locks/orders");
        assertThat(decision).isNotDone();
    }

    @Test
    void tryAcquire_ownEntryDoesNotGo_isTaken() {
        lingerFor(SHORT);
        loop.pass(SHORT);

        var decision =
                all.cohort(LOCK, LockOptions.builder().linger(SHORT).build()).begin(true, LIMIT.multipliedBy(5));
        loop.pass(LIMIT);
        store.free.complete(false);
        loop.run();

        assertThat(store.asked).contains("free locks/orders");
        assertThat(decision.decision()).isCompletedWithValue(Optional.empty());
    }

    /** A place that lingers, alone in the line. */
    private void lingerFor(Duration time) {
        cohort = all.cohort(LOCK, LockOptions.builder().linger(time).build());
        FencedHold hold = first();
        stand("mine");
        release(hold);
        assertThat(store.asked).doesNotContain("leave");
    }

    @Test
    void tryAcquire_besideOneThatIsAsking_failsAsThatOne() {
        var first = tryAcquire();
        var second = tryAcquire();
        assertThat(second).isNotDone();

        store.free.completeExceptionally(new StoreUnavailableException("too many requests"));

        for (var each : List.of(first, second)) {
            assertThatThrownBy(each::get)
                    .hasCauseInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("too many requests");
        }
        assertThat(store.asked).containsExactly("open", "free locks/orders");
    }

    @Test
    void tryAcquire_besideOneThatHasNoContact_failsAsThatOne() {
        all.lost();
        var first = tryAcquire();
        loop.pass(LIMIT.dividedBy(2));
        var second = tryAcquire();

        loop.pass(LIMIT.dividedBy(2));
        assertThat(second).isNotDone();
        loop.pass(LIMIT.dividedBy(2));

        for (var each : List.of(first, second)) {
            assertThatThrownBy(each::get).hasCauseInstanceOf(StoreUnavailableException.class);
        }
    }

    @Test
    void tryAcquire_storeSaysWhyItGrantsNothing_failsWithThatReasonInTime() {
        var decision = tryAcquire();
        store.grantNothing("only silent owners are in the way");

        loop.pass(LIMIT);

        assertThatThrownBy(decision::get)
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("only silent owners are in the way");
    }

    @Test
    void tryAcquire_besideOneThatIsTold_bothAreToldItIsTaken() {
        var first = tryAcquire();
        var second = tryAcquire();

        store.free.complete(false);
        loop.run();

        assertThat(first).isCompletedWithValue(Optional.empty());
        assertThat(second).isCompletedWithValue(Optional.empty());
    }

    @Test
    void tryAcquire_besideOneThatIsGranted_isTaken() {
        var first = tryAcquire();
        var second = tryAcquire();
        store.free.complete(true);
        loop.run();
        var waits = begin();
        var third = tryAcquire();

        store.clear();
        loop.run();

        FencedHold hold = granted(first);
        assertThat(second).isCompletedWithValue(Optional.empty());
        assertThat(third).isCompletedWithValue(Optional.empty());
        assertThat(tryAcquire()).as("while it is held").isCompletedWithValue(Optional.empty());
        assertThat(waits).isNotDone();
        release(hold);
        assertThat(granted(waits).token()).isEqualTo(hold.token());
    }

    @Test
    void acquire_besideOneThatIsAsking_joinsTheLineAtOnce() {
        var asking = tryAcquire();

        var waits = begin();

        assertThat(store.asked).containsExactly("open", "free locks/orders", "join locks/orders");
        assertThat(asking).isCompletedWithValue(Optional.empty());
        store.free.complete(true);
        store.clear();
        loop.run();
        assertThat(granted(waits).state()).isEqualTo(HoldState.HELD);
        assertThat(store.asked).doesNotContain("leave");
    }

    @Test
    void acquire_besideOneThatIsAskingAndGivenUpAtOnce_theOtherGoesOnAsking() {
        var asking = tryAcquire();

        cohort.begin(false, null).giveUp();
        loop.run();
        assertThat(asking).isNotDone();
        store.free.complete(true);
        store.clear();
        loop.run();

        assertThat(granted(asking).state()).isEqualTo(HoldState.HELD);
    }

    /** Nobody could join a line meanwhile, and the one that asks has to hear why it got nothing. */
    @Test
    void acquire_besideOneThatHasNoContact_joinsOnceThatHasFailed() {
        all.lost();
        var asking = tryAcquire();

        var waits = begin();
        loop.pass(LIMIT);
        assertThatThrownBy(asking::get).hasCauseInstanceOf(StoreUnavailableException.class);
        assertThat(waits).isNotDone();
        all.connected(store);
        loop.run();

        assertThat(store.asked).containsExactly("open", "join locks/orders");
        assertThat(waits).isNotDone();
    }

    /** It stands in the line, and would lose its place there. */
    @Test
    void acquire_besideOneThatHasJoined_doesNotEndIt() {
        var asking = tryAcquire();
        store.free.complete(true);
        loop.run();

        var waits = begin();

        assertThat(asking).isNotDone();
        store.clear();
        loop.run();
        FencedHold hold = granted(asking);
        release(hold);
        assertThat(granted(waits).token()).isEqualTo(hold.token());
        assertThat(store.asked).doesNotContain("leave").containsOnlyOnce("join locks/orders");
    }

    @Test
    void tryAcquire_besideOneThatIsGivenUp_isGranted() {
        AcquireAttempt first = cohort.begin(true, LIMIT);
        loop.run();
        var second = tryAcquire();
        first.giveUp();
        loop.run();

        store.free.complete(true);
        store.clear();
        loop.run();

        assertThat(first.decision()).isCompletedWithValue(Optional.empty());
        assertThat(granted(second).state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void begin_maxWaiting_admitsAsManyAttemptsHoweverManyPlacesTheyWaitIn() {
        Acquisitions few = with(CoordinatorOptions.builder().maxWaiting(2).build());
        few.connected(store);
        beginIn(few, "orders");
        beginIn(few, "bills");
        assertThatThrownBy(() -> beginIn(few, "orders")).isInstanceOf(TooManyWaitersException.class);

        store.clear();
        loop.run();

        AcquireAttempt third = beginIn(few, "bills");
        assertThatThrownBy(() -> beginIn(few, "stock")).isInstanceOf(TooManyWaitersException.class);
        third.giveUp();
        loop.run();
        beginIn(few, "stock");
        assertThatThrownBy(() -> beginIn(few, "bills")).isInstanceOf(TooManyWaitersException.class);
    }

    private AcquireAttempt beginIn(Acquisitions few, String lock) {
        AcquireAttempt begun = few.cohort(
                        Resource.lock(lock), LockOptions.builder().linger(LONG).build())
                .begin(false, null);
        loop.run();
        return begun;
    }

    @Test
    void giveUp_beforeThePlaceIsEntered_nothingIsKept() {
        AcquireAttempt attempt = cohort.begin(false, null);
        attempt.giveUp();
        loop.run();

        assertThat(attempt.decision()).isCompletedWithValue(Optional.empty());
        assertThat(first().state()).isEqualTo(HoldState.HELD);
    }
}
