package io.baton.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinatorClosedException;
import io.baton.CoordinatorOptions;
import io.baton.Dialect;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Item;
import io.baton.LockLostException;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.SessionState;
import io.baton.StoreUnavailableException;
import io.baton.TooManyWaitersException;
import io.baton.Trouble;
import io.baton.internal.HandLoop;
import io.baton.internal.ScriptedStore;
import io.baton.internal.callback.ClientCallbacks;
import io.baton.memory.MemoryStore;
import io.baton.memory.Outage;
import io.baton.recipe.Resource;
import io.baton.recipe.TreeFollower;
import io.baton.spi.Peer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The whole client on the store in memory, without threads and in virtual time. */
@Timeout(60)
class DefaultCoordinatorTest {

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration LITTLE = Duration.ofMillis(1);
    private static final String LINE = "locks/orders";
    private static final RecordKey STOCK = new RecordKey("shop", "stock");

    private final MemoryStore store = MemoryStore.named(DefaultCoordinatorTest.class.getName());
    private final HandLoop loop = new HandLoop();

    @AfterEach
    void drop() {
        MemoryStore.drop(DefaultCoordinatorTest.class.getName());
    }

    private static CoordinatorOptions options(String client) {
        return CoordinatorOptions.builder()
                .client(client)
                .ttl(TTL)
                .requestTimeout(Duration.ofSeconds(2))
                .closeTimeout(LITTLE)
                .maxWaiting(50)
                .build();
    }

    private DefaultCoordinator client(String name) {
        return client(name, loop);
    }

    private DefaultCoordinator client(String name, HandLoop on) {
        DefaultCoordinator client = DefaultCoordinator.start(store, on, on, options(name));
        on.run();
        return client;
    }

    private Hold held(DefaultCoordinator client) {
        CompletableFuture<Hold> acquired = client.lock("orders").acquireAsync();
        loop.run();
        assertThat(acquired).isCompleted();
        return acquired.join();
    }

    // ---- sessions

    @Test
    void start_storeThere_connects() {
        DefaultCoordinator client = client("a");

        assertThat(client.state()).isEqualTo(SessionState.CONNECTED);
        assertThat(client.ready()).isCompleted();
    }

    @Test
    void onState_sessionLost_tellsTheLossAndTheNextContact() {
        DefaultCoordinator client = client("a");
        List<SessionState> told = new ArrayList<>();
        client.onState(told::add);
        loop.run();

        store.expireSessions();
        loop.run();
        assertThat(client.state()).isEqualTo(SessionState.LOST);
        loop.pass(Duration.ofSeconds(1));

        assertThat(client.state()).isEqualTo(SessionState.CONNECTED);
        assertThat(told).containsExactly(SessionState.CONNECTED, SessionState.LOST, SessionState.CONNECTED);
        assertThat(store.sessions()).hasSize(1);
    }

    // ---- recipes that throw on the loop

    @Test
    void lost_recipesThrow_allHearOfItAndAnotherSessionIsOpened() {
        DefaultCoordinator client = client("a");
        Throwing recipe = followedTwice(client, "lost");

        store.expireSessions();
        passAndCatch(Duration.ofSeconds(1));

        assertThat(recipe.thrown).isEqualTo(2);
        assertThat(client.state()).isEqualTo(SessionState.CONNECTED);
        assertThat(held(client).state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void suspended_recipesThrow_allHearOfItAndTheSessionComesBack() {
        DefaultCoordinator client = client("a");
        Throwing recipe = followedTwice(client, "suspended");

        suspendAndResume();

        assertThat(recipe.thrown).isEqualTo(2);
        assertThat(client.state()).isEqualTo(SessionState.CONNECTED);
        assertThat(held(client).state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void connected_recipesThrow_areToldTheirRecordsAndTheCoordinatorIsReady() {
        store.suspend();
        DefaultCoordinator client = client("a");
        Throwing recipe = followedTwice(client, "connected");

        store.resume();
        passAndCatch(Duration.ofSeconds(1));

        assertThat(recipe.thrown).isEqualTo(2);
        assertThat(recipe.snapshots).isEqualTo(2);
        assertThat(client.ready()).isCompleted();
        assertThat(held(client).state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void follow_recipeThrowsWhenItHearsOfTheContact_isToldItsRecords() {
        Throwing recipe = followedTwice(client("a"), "connected");

        passAndCatch(LITTLE);

        assertThat(recipe.thrown).isEqualTo(2);
        assertThat(recipe.snapshots).isEqualTo(2);
    }

    @Test
    void onContact_listenersThrow_allHearOfItAndOthersToo() {
        DefaultCoordinator client = client("a");
        List<Boolean> heard = new ArrayList<>();
        Consumer<Boolean> throwing = inContact -> {
            heard.add(inContact);
            throw new IllegalStateException("on purpose");
        };
        var unused = client.recipes().onContact(throwing::accept);
        unused = client.recipes().onContact(throwing::accept);
        passAndCatch(LITTLE);
        Throwing recipe = followedTwice(client, "nothing");

        suspendAndResume();

        assertThat(heard).containsExactly(true, true, false, false, true, true);
        assertThat(recipe.heard).containsSubsequence("suspended", "suspended", "connected", "connected");
        assertThat(client.state()).isEqualTo(SessionState.CONNECTED);
    }

    private Throwing followedTwice(DefaultCoordinator client, String throwsIn) {
        Throwing recipe = new Throwing(throwsIn);
        var unused = client.recipes().records().follow("shop", recipe);
        unused = client.recipes().records().follow("shop", recipe);
        return recipe;
    }

    private void suspendAndResume() {
        passAndCatch(LITTLE);
        store.suspend();
        passAndCatch(Duration.ofSeconds(1));
        store.resume();
        passAndCatch(Duration.ofSeconds(1));
    }

    /** As the real loop, goes on with the next task after one that throws. */
    private void passAndCatch(Duration time) {
        boolean threw = true;
        while (threw) {
            try {
                loop.pass(time);
                threw = false;
            } catch (IllegalStateException onPurpose) {
                assertThat(onPurpose).hasMessage("on purpose");
            }
        }
    }

    /** A recipe that throws in one of its calls. */
    private static final class Throwing implements TreeFollower {

        private final String throwsIn;
        private final List<String> heard = new ArrayList<>();
        private int thrown;
        private int snapshots;

        Throwing(String throwsIn) {
            this.throwsIn = throwsIn;
        }

        private void hear(String call) {
            heard.add(call);
            if (call.equals(throwsIn)) {
                thrown++;
                throw new IllegalStateException("on purpose");
            }
        }

        @Override
        public void connected() {
            hear("connected");
        }

        @Override
        public void suspended() {
            hear("suspended");
        }

        @Override
        public void lost() {
            hear("lost");
        }

        @Override
        public void snapshot(List<Item> all, Position at) {
            snapshots++;
        }

        @Override
        public void changed(List<Item> put, List<RecordKey> deleted, long revision) {}

        @Override
        public void closed() {
            hear("closed");
        }
    }

    // ---- acquiring

    /** As on etcd, where all of these can be. */
    @Test
    void lockAt_pathsThatDifferByASlash_areLocksOfTheirOwn() {
        DefaultCoordinator client = client("a");
        List<CompletableFuture<Hold>> asked = List.of(
                client.lockAt("locks/orders", Dialect.BATON).acquireAsync(),
                client.lockAt("/locks/orders", Dialect.BATON).acquireAsync(),
                client.lock("orders").acquireAsync());
        CompletableFuture<Hold> second =
                client.lockAt("locks/orders", Dialect.BATON).acquireAsync();
        loop.run();

        assertThat(asked).allMatch(CompletableFuture::isDone);
        assertThat(second).isNotDone();
        assertThatThrownBy(() -> client.lockAt("a//b", Dialect.BATON)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void acquireAsync_severalClients_areGrantedInTheOrderOfTheLine() {
        List<DefaultCoordinator> clients = List.of(client("a"), client("b"), client("c"));
        List<CompletableFuture<Hold>> asked = new ArrayList<>();
        for (int i = 0; i < 21; i++) {
            asked.add(clients.get(i % 3).lock("orders").acquireAsync());
            loop.run();
        }

        long last = 0;
        for (CompletableFuture<Hold> next : asked) {
            loop.run();
            assertThat(asked.stream().filter(CompletableFuture::isDone)).containsExactly(next);
            Hold hold = next.join();
            assertThat(hold.token()).isGreaterThan(last);
            last = hold.token();
            hold.releaseAsync();
            asked = asked.subList(1, asked.size());
        }
    }

    @Test
    void acquireAsync_noContactYet_waitsForIt() {
        store.suspend();
        DefaultCoordinator client = client("a");
        CompletableFuture<Hold> asked = client.lock("orders").acquireAsync();
        loop.pass(Duration.ofMinutes(1));
        assertThat(asked).isNotDone();

        store.resume();
        loop.run();

        assertThat(asked).isCompleted();
    }

    @Test
    void acquireAsync_outOfContactWhenTheWayIsClear_isGrantedOnceProven() {
        DefaultCoordinator holder = client("a");
        Hold first = held(holder);
        CompletableFuture<Hold> next = client("b").lock("orders").acquireAsync();
        loop.run();

        first.releaseAsync();
        store.suspend("b");
        loop.pass(Duration.ofSeconds(3));
        assertThat(next).isNotDone();

        store.resume();
        loop.run();
        assertThat(next).isCompleted();
        assertThat(next.join().remaining()).isGreaterThan(TTL.dividedBy(2));
    }

    @Test
    void acquireAsync_clearSeenAfterALongPause_isGrantedOnNewProofOnly() {
        HandLoop frozen = loop.beside();
        Hold first = held(client("a"));
        CompletableFuture<Duration> leftWhenGranted =
                client("b", frozen).lock("orders").acquireAsync().thenApply(Hold::remaining);
        frozen.run();
        first.releaseAsync();
        loop.run();

        // b has been told, but does not run, until little is left of its session.
        frozen.freeze(TTL.multipliedBy(8).dividedBy(10));
        frozen.run();

        assertThat(leftWhenGranted).isCompleted();
        assertThat(leftWhenGranted.join()).isGreaterThan(TTL.dividedBy(2));
    }

    @Test
    void acquireAsync_clearSeenAfterTheSessionHasEnded_isNeverGranted() {
        HandLoop frozen = loop.beside();
        DefaultCoordinator a = client("a");
        Hold first = held(a);
        CompletableFuture<Hold> next = client("b", frozen).lock("orders").acquireAsync();
        frozen.run();
        first.releaseAsync();
        loop.run();

        loop.pass(TTL.plusSeconds(1));
        Hold others = held(a);
        frozen.run();

        assertThat(next).isCompletedExceptionally();
        assertThatThrownBy(next::get).hasCauseInstanceOf(SessionLostException.class);
        assertThat(others.state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void acquireAsync_sessionLostWhileWaiting_failsAndTheNextOneWorks() {
        DefaultCoordinator holder = client("a");
        Hold first = held(holder);
        DefaultCoordinator waiter = client("b");
        CompletableFuture<Hold> next = waiter.lock("orders").acquireAsync();
        loop.run();

        store.expireSessions("b");
        loop.run();

        assertThatThrownBy(next::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(SessionLostException.class);
        first.releaseAsync();
        CompletableFuture<Hold> later = waiter.lock("orders").acquireAsync();
        loop.pass(Duration.ofSeconds(1));
        assertThat(later).isCompleted();
    }

    @Test
    void acquireAsync_moreThanMaxWaiting_isRefusedUntilThereIsRoom() {
        DefaultCoordinator client = client("a");
        Hold first = held(client);
        List<CompletableFuture<Hold>> asked = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            asked.add(client.lock("orders").acquireAsync());
        }
        loop.run();

        assertThatThrownBy(client.lock("orders").acquireAsync()::get)
                .hasCauseInstanceOf(TooManyWaitersException.class)
                .hasMessageContaining("maxWaiting");

        asked.get(49).cancel(false);
        loop.run();
        CompletableFuture<Hold> fits = client.lock("orders").acquireAsync();
        loop.run();
        assertThat(fits).isNotDone();
        assertThat(store.peers(LINE)).hasSize(51);
        first.releaseAsync();
    }

    @Test
    void cancel_waiting_leavesTheLine() {
        DefaultCoordinator client = client("a");
        Hold first = held(client);
        CompletableFuture<Hold> next = client.lock("orders").acquireAsync();
        loop.run();
        assertThat(store.peers(LINE)).hasSize(2);

        next.cancel(true);
        loop.run();

        assertThat(store.peers(LINE)).hasSize(1);
        first.releaseAsync();
        loop.run();
        assertThat(store.peers(LINE)).isEmpty();
    }

    @Test
    void cancel_grantedButNotYetHandedOver_releasesTheHold() {
        Deque<Runnable> callbacks = new ArrayDeque<>();
        DefaultCoordinator client = DefaultCoordinator.start(store, loop, callbacks::add, options("a"));
        CompletableFuture<Hold> asked = client.lock("orders").acquireAsync();
        loop.run();
        assertThat(store.peers(LINE)).hasSize(1);
        assertThat(asked).isNotDone();

        asked.cancel(true);
        callbacks.forEach(Runnable::run);
        loop.run();

        assertThat(asked).isCancelled();
        assertThat(store.peers(LINE)).isEmpty();
    }

    @Test
    void acquireAsync_futureCompletedByItsUser_leavesTheLine() {
        DefaultCoordinator client = client("a");
        held(client);
        CompletableFuture<Hold> next = client.lock("orders").acquireAsync();
        loop.run();

        next.completeExceptionally(new java.util.concurrent.TimeoutException());
        loop.run();

        assertThat(store.peers(LINE)).hasSize(1);
    }

    // ---- holding

    @Test
    void remaining_healthyHold_neverFallsBelowHalfTheTimeout() {
        Hold hold = held(client("a"));

        for (int i = 0; i < 1_000; i++) {
            loop.pass(Duration.ofMillis(97));
            assertThat(hold.remaining()).isGreaterThan(TTL.dividedBy(2));
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void state_contactLostAndRegained_isJeopardyMeanwhile() {
        Hold hold = held(client("a"));
        List<HoldState> told = new ArrayList<>();
        hold.onState(told::add);
        loop.run();

        store.suspend();
        loop.run();
        assertThat(hold.state()).isEqualTo(HoldState.JEOPARDY);
        store.resume();
        loop.run();

        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        assertThat(told).containsExactly(HoldState.HELD, HoldState.JEOPARDY, HoldState.HELD);
    }

    @Test
    void onLost_contactLostPastTheDeadline_isToldBeforeTheNextIsGranted() {
        Hold hold = held(client("a"));
        DefaultCoordinator other = client("b");
        CompletableFuture<Hold> next = other.lock("orders").acquireAsync();
        List<Boolean> grantedWhenLost = new ArrayList<>();
        hold.onLost(() -> grantedWhenLost.add(next.isDone()));
        store.suspend("a");

        loop.pass(TTL.plusSeconds(5));

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(grantedWhenLost).containsExactly(false);
        assertThat(next).isCompleted();
    }

    @Test
    void state_lostByDeadlineButSessionAlive_staysLostAndTheEntryIsRemoved() {
        DefaultCoordinator client = client("a");
        Hold hold = held(client);
        store.suspend();
        loop.pass(TTL.minusMillis(50));
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(store.peers(LINE)).hasSize(1);

        store.resume();
        loop.pass(Duration.ofMillis(10));

        assertThat(client.state()).isEqualTo(SessionState.CONNECTED);
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(hold.remaining()).isZero();
        assertThat(store.peers(LINE)).isEmpty();
    }

    @Test
    void state_frozenPastTheSession_isLostAtTheFirstLookAndTheWriteIsRefused() {
        HandLoop frozen = loop.beside();
        DefaultCoordinator a = client("a", frozen);
        CompletableFuture<Hold> asked = a.lock("orders").acquireAsync();
        frozen.run();
        Hold stale = asked.join();
        DefaultCoordinator b = client("b");
        CompletableFuture<Hold> next = b.lock("orders").acquireAsync();

        loop.pass(TTL.plusSeconds(1));
        assertThat(next).isCompleted();
        CompletableFuture<Boolean> write = a.transactAsync(List.of(Guard.held(stale)), List.of(Op.put(STOCK, "7")));

        assertThat(stale.state()).isEqualTo(HoldState.LOST);
        assertThat(stale.remaining()).isZero();
        frozen.pass(Duration.ofSeconds(1));
        CompletableFuture<Boolean> again = a.transactAsync(List.of(Guard.held(stale)), List.of(Op.put(STOCK, "7")));
        frozen.pass(Duration.ofSeconds(1));
        assertThat(write)
                .satisfiesAnyOf(
                        refused -> assertThat(refused).isCompletedWithValue(false),
                        failed -> assertThat(failed).isCompletedExceptionally());
        assertThat(again).isCompletedWithValue(false);
        assertThat(next.join().token()).isGreaterThan(stale.token());
    }

    @Test
    void state_wallClockJumps_isJeopardyUntilTheStoreConfirms() {
        Hold hold = held(client("a"));
        List<HoldState> told = new ArrayList<>();
        hold.onState(told::add);
        loop.run();

        loop.freeze(LITTLE);
        loop.jumpWall(Duration.ofHours(1));
        assertThat(hold.state()).isEqualTo(HoldState.JEOPARDY);
        assertThat(hold.remaining()).isZero();
        loop.run();

        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        assertThat(hold.remaining()).isGreaterThan(TTL.dividedBy(2));
        assertThat(told).endsWith(HoldState.HELD).contains(HoldState.JEOPARDY);
    }

    @Test
    void state_entryRemovedByAnOperator_isLostAndSaysWhy() {
        Hold hold = held(client("a"));
        store.removeEntry(store.peers(LINE).get(0));
        loop.run();

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThatThrownBy(() -> hold.ensureValid(LITTLE))
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("removed");
        assertThat(hold.releaseAsync()).satisfies(released -> loop.run()).isCompleted();
    }

    @Test
    void releaseAsync_outOfContact_isOwedUntilContactIsBack() {
        Hold hold = held(client("a"));
        store.suspend();
        loop.run();

        CompletableFuture<Void> released = hold.releaseAsync();
        loop.pass(Duration.ofSeconds(3));
        assertThat(released).isNotDone();
        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);

        store.resume();
        loop.run();
        assertThat(released).isCompleted();
        assertThat(store.peers(LINE)).isEmpty();
    }

    // ---- transactions

    @Test
    void transactAsync_held_isApplied() {
        DefaultCoordinator client = client("a");
        Hold hold = held(client);

        CompletableFuture<Boolean> done = client.transactAsync(List.of(Guard.held(hold)), List.of(Op.put(STOCK, "9")));
        loop.run();

        assertThat(done).isCompletedWithValue(true);
    }

    @Test
    void transactAsync_released_isRefusedWithoutAskingTheStore() {
        DefaultCoordinator client = client("a");
        Hold hold = held(client);
        store.suspend();
        hold.releaseAsync();

        assertThat(client.transactAsync(List.of(Guard.held(hold)), List.of(Op.put(STOCK, "9"))))
                .satisfies(refused -> loop.run())
                .isCompletedWithValue(false);
    }

    @Test
    void transact_holdOfAnotherCoordinator_isAMistake() {
        Hold hold = held(client("a"));
        DefaultCoordinator other = client("b");

        assertThatThrownBy(() -> other.transact(List.of(Guard.held(hold)), List.of(Op.put(STOCK, "9"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("orders");
    }

    @Test
    void transact_beyondTheLimits_isRefusedWithNumbers() {
        DefaultCoordinator client = client("a");
        int maxOps = store.guarantees().maxOps();
        int maxBytes = store.guarantees().maxBytes();
        List<Op> many = new ArrayList<>();
        for (int i = 0; i <= maxOps; i++) {
            many.add(Op.put(new RecordKey("shop", "item-" + i), "x"));
        }

        assertThatThrownBy(() -> client.transact(List.of(), List.of())).hasMessageContaining("at least one");
        assertThatThrownBy(() -> client.transact(List.of(), many))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("" + maxOps, "" + (maxOps + 1));
        assertThatThrownBy(() -> client.transact(List.of(), Collections.nCopies(2, Op.put(STOCK, "1"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("shop/stock");
        assertThatThrownBy(() -> client.transact(List.of(), List.of(Op.put(STOCK, new byte[maxBytes + 1]))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("" + maxBytes, "" + (maxBytes + 1));
    }

    @Test
    void transactAsync_noAnswerInTime_saysWhetherItMayHaveBeenApplied() {
        DefaultCoordinator sent = client("a");
        store.outage("a", Outage.When.AFTER_REQUEST, 1);
        CompletableFuture<Boolean> perhaps = sent.transactAsync(List.of(), List.of(Op.put(STOCK, "1")));
        loop.execute(store::suspend);
        loop.run();
        DefaultCoordinator notSent = client("b");
        CompletableFuture<Boolean> never = notSent.transactAsync(List.of(), List.of(Op.put(STOCK, "2")));

        loop.pass(Duration.ofMillis(1_900));
        assertThat(perhaps).isNotDone();
        assertThat(never).isNotDone();
        loop.pass(Duration.ofMillis(100));

        assertThatThrownBy(perhaps::get)
                .hasCauseInstanceOf(OutcomeUnknownException.class)
                .hasMessageContainingAll("shop/stock", "2 s");
        assertThatThrownBy(never::get)
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("shop/stock", "2 s");
    }

    /** It was reported as not applied, so another client may have written meanwhile. */
    @Test
    void transactAsync_outOfContactForItsTime_isNotAppliedAndNotSentWithTheNextContact() {
        DefaultCoordinator client = client("a");
        store.suspend();
        CompletableFuture<Boolean> write = client.transactAsync(List.of(), List.of(Op.put(STOCK, "1")));
        loop.pass(Duration.ofSeconds(2));
        assertThat(write).isDone();
        assertThatThrownBy(write::get)
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("shop/stock", "2 s");

        store.resume();
        loop.pass(Duration.ofSeconds(1));
        CompletableFuture<Optional<Item>> read = client.recipes().records().read(STOCK);
        loop.run();

        assertThat(client.state()).isEqualTo(SessionState.CONNECTED);
        assertThat(read).isCompletedWithValue(Optional.empty());
    }

    @Test
    void transactAsync_arrayIsChangedAfterTheCall_writesWhatItHeldThen() {
        DefaultCoordinator client = client("a");
        byte[] value = "old".getBytes(StandardCharsets.UTF_8);
        RecordKey other = new RecordKey("shop", "other");

        CompletableFuture<Boolean> written = client.transactAsync(List.of(), List.of(Op.put(STOCK, value)));
        CompletableFuture<Boolean> ofARecipe =
                client.recipes().records().transact("a write", List.of(), List.of(Op.put(other, value)), List.of());
        value[0] = 'X';
        loop.run();

        assertThat(written).isCompletedWithValue(true);
        assertThat(ofARecipe).isCompletedWithValue(true);
        assertThat(List.of(read(client, STOCK), read(client, other))).containsExactly("old", "old");
    }

    private String read(DefaultCoordinator client, RecordKey key) {
        CompletableFuture<Optional<Item>> read = client.recipes().records().read(key);
        loop.run();
        return read.join().orElseThrow().text();
    }

    // ---- closing

    @Test
    void closeAsync_holdsAndWaiters_endsAllAndKeepsNoTimer() {
        DefaultCoordinator client = client("a");
        List<SessionState> told = new ArrayList<>();
        client.onState(told::add);
        Hold hold = held(client);
        CompletableFuture<Hold> next = client.lock("orders").acquireAsync();
        loop.run();

        CompletableFuture<Void> closed = client.closeAsync();
        loop.run();

        assertThat(closed).isCompleted();
        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        assertThatThrownBy(next::get)
                .hasCauseInstanceOf(CoordinatorClosedException.class)
                .hasMessageContaining("closed");
        assertThat(store.peers(LINE)).isEmpty();
        assertThat(store.sessions()).isEmpty();
        assertThat(client.state()).isEqualTo(SessionState.CLOSED);
        assertThat(told).endsWith(SessionState.CLOSED);
        assertThat(loop.timers()).isZero();
    }

    @Test
    void closeAsync_outOfContact_endsWithinTheCloseTimeout() {
        DefaultCoordinator client = client("a");
        Hold hold = held(client);
        store.suspend();
        loop.run();
        CompletableFuture<Void> released = hold.releaseAsync();

        CompletableFuture<Void> closed = client.closeAsync();
        loop.pass(LITTLE);

        assertThat(closed).isCompleted();
        assertThat(released).isDone();
        loop.pass(Duration.ofMinutes(1)); // the session would end with a contact that comes within its ttl
        assertThat(loop.timers()).isZero();
    }

    /** The session frees its connections on the loop, also if the store does not answer. */
    @Test
    void closeAsync_sessionEndsAfterTheCloseTimeout_theLoopRunsUntilThen() {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        List<String> ends = new ArrayList<>();

        assertThat(closeAsync(ended, ends)).isCompleted();
        assertThat(ends).isEmpty();

        ended.completeExceptionally(new StoreUnavailableException("no answer"));
        assertThat(ends).containsExactly("loop");
        assertThat(loop.timers()).isZero();
    }

    @Test
    void closeAsync_sessionNeverEnds_theLoopEndsAfterTwoTtls() {
        List<String> ends = new ArrayList<>();
        assertThat(closeAsync(new CompletableFuture<>(), ends)).isCompleted();

        loop.pass(ScriptedStore.TIMEOUT.multipliedBy(2));

        assertThat(ends).containsExactly("loop");
    }

    @Test
    void observeMembers_entriesCannotBeRead_isATrouble() {
        ScriptedStore scripted = new ScriptedStore(loop);
        DefaultCoordinator client = on(scripted, () -> {});
        Resource group = Resource.named("baton.groups", "workers");
        var unused = client.recipes().lines().observeMembers(group, members -> {});
        loop.run();
        scripted.detailsFail = true;

        scripted.lookers.get(0).accept(List.of(new Peer(group.line(), "a", 1)));
        loop.pass(Duration.ofSeconds(5));

        assertThat(client.trouble())
                .extracting(Trouble::what)
                .containsExactly("Cannot tell who stands in " + group.line());
    }

    /** Closes a client whose session ends as given, and lets the close timeout pass. */
    private CompletableFuture<Void> closeAsync(CompletableFuture<Void> ended, List<String> ends) {
        ScriptedStore slow = new ScriptedStore(loop);
        slow.closed = ended;
        CompletableFuture<Void> closed = on(slow, () -> ends.add("loop")).closeAsync();
        loop.pass(LITTLE);
        return closed;
    }

    private DefaultCoordinator on(ScriptedStore scripted, Runnable atEnd) {
        DefaultCoordinator client =
                new DefaultCoordinator(scripted, "scripted", loop, ClientCallbacks.on(loop), options("a"), atEnd);
        client.open();
        loop.run();
        scripted.connect();
        return client;
    }

    @Test
    void closeAsync_hookThrows_waitersFailAndTheSessionEnds() {
        DefaultCoordinator client = client("a");
        var unused = client.recipes().beforeClosing(() -> {
            throw new IllegalStateException("on purpose");
        });

        assertEnds(client, loop::run);
    }

    @Test
    void closeAsync_recipeThrowsAtTheEnd_waitersFailAndTheSessionEnds() {
        DefaultCoordinator client = client("a");
        Throwing followed = followedTwice(client, "closed");

        assertEnds(client, () -> assertThatThrownBy(loop::run).hasMessage("on purpose"));

        assertThat(followed.thrown).isEqualTo(2);
    }

    @Test
    void closeAsync_hooksTakeAllOfTheTimeOnTheLoop_waitersFailAndTheSessionEnds() {
        DefaultCoordinator client = client("a");
        var unused = client.recipes().beforeClosing(() -> {
            loop.freeze(LITTLE);
            return new CompletableFuture<>();
        });

        assertEnds(client, loop::run);
    }

    private void assertEnds(DefaultCoordinator client, Runnable run) {
        Hold hold = held(client);
        CompletableFuture<Hold> next = client.lock("orders").acquireAsync();
        loop.run();

        CompletableFuture<Void> closed = client.closeAsync();
        run.run();
        loop.run();

        assertThat(closed).isCompleted();
        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        assertThatThrownBy(next::get).hasMessageContaining("closed");
        assertThat(store.sessions()).isEmpty();
        loop.pass(LITTLE);
        assertThat(loop.timers()).isZero();
    }

    @Test
    void acquireAsync_closed_fails() {
        DefaultCoordinator client = client("a");
        client.closeAsync();
        loop.run();

        CompletableFuture<Hold> asked = client.lock("orders").acquireAsync();
        CompletableFuture<Boolean> write = client.transactAsync(List.of(), List.of(Op.put(STOCK, "1")));
        loop.run();

        assertThatThrownBy(asked::get).hasCauseInstanceOf(CoordinatorClosedException.class);
        assertThatThrownBy(write::get).hasCauseInstanceOf(CoordinatorClosedException.class);
    }
}
