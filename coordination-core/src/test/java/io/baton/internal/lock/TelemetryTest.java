package io.baton.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.SessionState;
import io.baton.Telemetry;
import io.baton.Telemetry.NotGranted.Reason;
import io.baton.internal.HandLoop;
import io.baton.internal.ScriptedStore;
import io.baton.internal.callback.ClientCallbacks;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.internal.telemetry.Reporter;
import io.baton.memory.MemoryStore;
import io.baton.recipe.Callbacks;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Resource;
import io.baton.recipe.Texts;
import io.baton.spi.Claim;
import io.baton.spi.Peer;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What telemetry is told of locks and sessions, on the store in memory and in virtual time. */
@Timeout(60)
class TelemetryTest {

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final String LINE = "locks/orders";

    private final MemoryStore store = MemoryStore.named(TelemetryTest.class.getName());
    private final HandLoop loop = new HandLoop();
    private final HandLoop users = loop.beside();
    private final Told told = new Told();

    /** Writes down what it is told, requests apart. */
    private static final class Told implements Telemetry {

        final List<String> events = new ArrayList<>();
        final List<Request> requests = new ArrayList<>();
        final List<String> loads = new ArrayList<>();
        String why = "";

        void note(String event) {
            events.add(event);
        }

        @Override
        public void waiting(Waiting event) {
            note("waiting " + event.lock() + " " + Texts.of(event.waited()));
        }

        @Override
        public void granted(Granted event) {
            note("granted " + event.lock() + " " + Texts.of(event.waited()));
        }

        @Override
        public void notGranted(NotGranted event) {
            why = event.why();
            note(event.reason() + " " + event.lock() + " " + Texts.of(event.waited()));
        }

        @Override
        public void rejoined(Rejoined event) {
            why = event.why();
            note("rejoined " + event.lock() + " " + Texts.of(event.waited()));
        }

        @Override
        public void jeopardy(Jeopardy event) {
            note("jeopardy " + event.lock());
        }

        @Override
        public void steady(Steady event) {
            note("steady " + event.lock() + " " + Texts.of(event.lasted()));
        }

        @Override
        public void lost(Lost event) {
            why = event.why();
            note("lost " + event.lock() + " " + Texts.of(event.held()));
        }

        @Override
        public void released(Released event) {
            note("released " + event.lock() + " " + Texts.of(event.held()));
        }

        @Override
        public void handedOff(HandedOff event) {
            note("handed off " + event.lock() + " " + Texts.of(event.took()));
        }

        @Override
        public void load(Load event) {
            loads.add(event.waiting() + " wait, " + event.holding() + " hold");
        }

        @Override
        public void session(SessionChange event) {
            note(event.state() + " " + Texts.of(event.before()));
        }

        @Override
        public void request(Request event) {
            requests.add(event);
        }

        @Override
        public void dropped(Dropped event) {
            note("dropped " + event.events());
        }
    }

    @AfterEach
    void drop() {
        MemoryStore.drop(TelemetryTest.class.getName());
    }

    private DefaultCoordinator client(String name, UnaryOperator<CoordinatorOptions.Builder> more) {
        var options = CoordinatorOptions.builder()
                .client(name)
                .ttl(TTL)
                .closeTimeout(Duration.ofMillis(1))
                .maxWaiting(2);
        DefaultCoordinator client =
                DefaultCoordinator.start(store, loop, users, more.apply(options).build());
        run();
        return client;
    }

    private DefaultCoordinator listening(Telemetry... listeners) {
        return client("a", options -> {
            List.of(listeners).forEach(options::telemetry);
            return options;
        });
    }

    private void run() {
        pass(Duration.ZERO);
    }

    private void pass(Duration time) {
        loop.pass(time);
        users.run();
        loop.run();
        users.run();
    }

    private Hold held(DefaultCoordinator client) {
        CompletableFuture<Hold> acquired = client.lock("orders").acquireAsync();
        run();
        return acquired.join();
    }

    // ---- what is told

    @Test
    void lockLife_waitsAndHoldsAndReleases_isToldInOrder() {
        Hold other = held(client("b", options -> options));
        DefaultCoordinator client = listening(told);
        CompletableFuture<Hold> acquired = client.lock("orders").acquireAsync();
        pass(Duration.ofSeconds(4));
        other.releaseAsync();
        run();
        pass(Duration.ofSeconds(3));

        acquired.join().releaseAsync();
        run();
        client.closeAsync();
        run();

        assertThat(told.events)
                .containsExactly(
                        "CONNECTED 0 ms",
                        "waiting orders 1 s",
                        "waiting orders 2 s",
                        "waiting orders 4 s",
                        "granted orders 4 s",
                        "released orders 3 s",
                        "handed off orders 0 ms",
                        "CLOSED 7 s");
        assertThat(loop.timers()).isEqualTo(2); // the other client's heartbeat, and its look at the contact
    }

    @Test
    void hold_contactBreaksAndComesBack_isInJeopardyAndThenSteady() {
        Hold hold = held(listening(told));

        store.suspend("a");
        pass(Duration.ofSeconds(3));
        store.resume();
        pass(Duration.ofSeconds(1));

        assertThat(told.events)
                .containsExactly(
                        "CONNECTED 0 ms",
                        "granted orders 0 ms",
                        "SUSPENDED 0 ms",
                        "jeopardy orders",
                        "CONNECTED 3 s",
                        "steady orders 3 s");
        assertThat(hold.remaining()).isPositive();
    }

    @Test
    void hold_sessionExpires_isLostOnceForThatReasonAndTheSessionToo() {
        held(listening(told));

        pass(Duration.ofSeconds(2));
        store.expireSessions();
        pass(Duration.ofSeconds(1));

        assertThat(told.events)
                .startsWith("CONNECTED 0 ms", "granted orders 0 ms", "lost orders 2 s", "LOST 2 s")
                .hasSize(5)
                .last()
                .asString()
                .startsWith("CONNECTED ");
        assertThat(told.why).contains("expired");
    }

    @Test
    void hold_deadlinePassesUnseenAndItsOwnerCloses_isLostAndNotReleased() {
        Hold hold = held(listening(told));
        store.suspend("a");
        run();
        loop.freeze(TTL.multipliedBy(2));

        hold.releaseAsync();
        run();

        assertThat(told.events)
                .contains("lost orders 20 s")
                .noneMatch(event -> event.startsWith("released") || event.startsWith("handed off"));
        assertThat(told.why).contains("did not confirm");
    }

    @Test
    void hold_closedBeforeItsDeadlineAndLookedAtAfter_isReleasedAndNotLost() {
        Hold hold = held(listening(told));
        store.suspend("a");
        run();

        hold.releaseAsync();
        loop.freeze(TTL.multipliedBy(2));
        run();

        assertThat(told.events).contains("released orders 20 s").noneMatch(event -> event.startsWith("lost"));
    }

    @Test
    void hold_entryRemovedBySomebody_isLostForThatReason() {
        held(listening(told));
        Peer mine = store.peers(LINE).get(0);

        store.removeEntry(mine);
        run();

        assertThat(told.events).last().isEqualTo("lost orders 0 ms");
        assertThat(told.why).contains("removed");
    }

    @Test
    void acquisition_endsWithoutAHold_isToldWhy() {
        held(client("b", options -> options));
        DefaultCoordinator client = listening(told);

        asked(client).cancel(false);
        run();
        asked(client);
        store.removeEntry(store.peers(LINE).get(1));
        run();
        pass(Duration.ofSeconds(1));
        asked(client);
        client.closeAsync();
        run();

        assertThat(told.events)
                .containsExactly(
                        "CONNECTED 0 ms",
                        "CANCELLED orders 0 ms",
                        "FAILED orders 0 ms",
                        "CLOSED 1 s",
                        "CLOSED orders 0 ms");
    }

    private CompletableFuture<Hold> asked(DefaultCoordinator client) {
        CompletableFuture<Hold> asked = client.lock("orders").acquireAsync();
        loop.run();
        return asked;
    }

    @Test
    void acquisition_notInTimeOrTakenOrOutOfReach_isToldWhy() {
        ScriptedStore scripted = new ScriptedStore(loop);
        ClientLoop own = new ClientLoop(loop);
        Callbacks callbacks = ClientCallbacks.on(users);
        var all = new Acquisitions(
                own,
                callbacks,
                CoordinatorOptions.defaults(),
                new Reporter(own, callbacks, List.of(told)),
                NobodyAsks.on(own, callbacks),
                scripted.guarantees());
        scripted.open(new SessionSpec(TTL, "test"), loop, new Deaf());
        scripted.connect();
        Duration limit = Duration.ofMillis(500);

        begin(all, "never", true, limit);
        pass(limit);
        all.connected(scripted);
        begin(all, "late", false, limit);
        run();
        scripted.standing.waiting();
        pass(limit);
        begin(all, "taken", true, limit);
        run();
        scripted.free.complete(false);
        run();

        assertThat(told.events).containsExactly("FAILED never 500 ms", "TIMED_OUT late 500 ms", "TAKEN taken 0 ms");
        pass(Duration.ofSeconds(1)); // the load is told
        assertThat(told.loads).last().isEqualTo("0 wait, 0 hold");
        assertThat(loop.timers()).isZero();
    }

    /** Whoever keeps a session has to listen to it. */
    private static final class Deaf implements SessionListener {

        @Override
        public void connected() {}

        @Override
        public void suspended() {}

        @Override
        public void proven() {}

        @Override
        public void lost(CoordinationException why) {}
    }

    @Test
    void acquisition_tooManyUnderWay_isToldAsFailed() {
        held(client("b", options -> options));
        DefaultCoordinator client = listening(told);
        asked(client);
        asked(client);

        CompletableFuture<Hold> tooMany = client.lock("orders").acquireAsync();
        run();

        assertThat(tooMany).isCompletedExceptionally();
        assertThat(told.events).last().isEqualTo(Reason.FAILED + " orders 0 ms");
        assertThat(told.why).contains("maxWaiting");
    }

    @Test
    void load_waitsHoldsReleasesAndLosses_isToldOncePerSecondAndEndsAtNothing() {
        DefaultCoordinator client =
                client("a", options -> options.telemetry(told).maxWaiting(10));
        Hold first = held(client);
        CompletableFuture<Hold> second = client.lock("orders").acquireAsync();
        CompletableFuture<Hold> third = client.lock("orders").acquireAsync();
        pass(Duration.ofSeconds(1));
        assertThat(told.loads).containsExactly("2 wait, 1 hold");

        first.releaseAsync();
        pass(Duration.ofSeconds(1));
        third.cancel(false);
        pass(Duration.ofSeconds(1));
        assertThat(told.loads).containsExactly("2 wait, 1 hold", "1 wait, 1 hold", "0 wait, 1 hold");

        store.expireSessions("a");
        pass(Duration.ofSeconds(1));
        assertThat(second.join().state()).isEqualTo(HoldState.LOST);
        assertThat(told.loads).last().isEqualTo("0 wait, 0 hold");

        pass(Duration.ofSeconds(5));
        var unused = client.lock("orders").acquireAsync();
        client.closeAsync();
        pass(Duration.ofSeconds(5));
        assertThat(told.loads).last().isEqualTo("0 wait, 0 hold");
    }

    @Test
    void load_tooManyUnderWayOrNothingWaitedFor_countsNothing() {
        DefaultCoordinator client =
                client("a", options -> options.telemetry(told).maxWaiting(1));
        Hold hold = held(client("b", options -> options));
        var unused = client.lock("orders").acquireAsync();
        assertThat(client.lock("orders").acquireAsync()).isCompletedExceptionally();
        pass(Duration.ofSeconds(1));
        assertThat(told.loads).containsExactly("1 wait, 0 hold");
        assertThat(hold.remaining()).isPositive();
    }

    @Test
    void waiter_sessionExpiresAndJoinsAgain_isTold() {
        Hold other = held(client("b", options -> options));
        DefaultCoordinator client =
                client("a", options -> options.telemetry(told).rejoin(true));
        CompletableFuture<Hold> acquired = client.lock("orders").acquireAsync();
        run();

        store.expireSessions("a");
        pass(Duration.ofMillis(500));
        other.releaseAsync();
        run();

        assertThat(acquired).isCompleted();
        assertThat(told.events)
                .startsWith("CONNECTED 0 ms", "rejoined orders 0 ms", "LOST 0 ms")
                .endsWith("granted orders 500 ms")
                .hasSize(5);
    }

    @Test
    void requests_ofALock_areToldByKind() {
        DefaultCoordinator client = listening(told);
        Hold hold = held(client);
        hold.releaseAsync();
        run();

        assertThat(told.requests)
                .extracting(Telemetry.Request::kind)
                .contains(Telemetry.Request.Kind.COMMIT, Telemetry.Request.Kind.JOIN, Telemetry.Request.Kind.DELETE);
        assertThat(told.requests).extracting(Telemetry.Request::outcome).containsOnly(Telemetry.Request.Outcome.OK);
    }

    @Test
    void requests_withoutContact_areToldWithTheTimeTheyTook() {
        DefaultCoordinator client = listening(told);
        store.suspend("a");
        run();
        told.requests.clear();
        asked(client);
        pass(Duration.ofSeconds(2));
        store.resume();
        run();

        assertThat(told.requests).anySatisfy(request -> {
            assertThat(request.kind()).isEqualTo(Telemetry.Request.Kind.COMMIT); // it waits for the contact
            assertThat(request.took()).isEqualTo(Duration.ofSeconds(2));
        });
    }

    @Test
    void load_coordinatorClosedWithAHoldAndAWaiter_endsAtNothing() {
        DefaultCoordinator client = listening(told);
        held(client);
        asked(client);
        pass(Duration.ofSeconds(1));
        assertThat(told.loads).last().isEqualTo("1 wait, 1 hold");

        var unused = client.closeAsync();
        run();

        assertThat(told.loads).last().isEqualTo("0 wait, 0 hold");
    }

    // ---- those who listen badly, and those who do not

    @Test
    void slowListener_manyEvents_missesSomeIsToldHowManyAndNeverMissesALoss() {
        DefaultCoordinator client = listening(told);
        for (int i = 0; i < Reporter.MOST_PENDING; i++) {
            asked(client).cancel(false); // granted, and given back
            loop.run();
        }
        asked(client);
        store.expireSessions();
        loop.run();
        assertThat(told.events).containsExactly("CONNECTED 0 ms");

        users.run();

        assertThat(told.events).contains("lost orders 0 ms", "LOST 0 ms");
        assertThat(told.events.stream().filter(event -> event.startsWith("dropped")))
                .hasSize(1);
        assertThat(told.events.indexOf("lost orders 0 ms")).isGreaterThan(indexOf("dropped "));
        long all = told.events.size() + told.requests.size();
        assertThat(all).isBetween((long) Reporter.MOST_PENDING, Reporter.MOST_PENDING + 10L);
        pass(Duration.ofSeconds(1));
        held(client);
        assertThat(told.events).last().asString().startsWith("granted orders");
    }

    private int indexOf(String start) {
        for (int i = 0; i < told.events.size(); i++) {
            if (told.events.get(i).startsWith(start)) {
                return i;
            }
        }
        throw new AssertionError(start + " was not told: " + told.events);
    }

    @Test
    void hangingListener_loadsAndRequestsForHours_fewWaitAndTheNewestLoadIsTold() {
        ClientLoop own = new ClientLoop(loop);
        Reporter reporter = new Reporter(own, ClientCallbacks.on(users), List.of(told));
        int seconds = 10_000;

        for (int i = 0; i < seconds; i++) {
            reporter.load(1, 0);
            reporter.answered(Telemetry.Request.Kind.READ, Telemetry.Request.Outcome.OK, 1);
            loop.pass(Duration.ofSeconds(1));
        }
        users.run();

        assertThat(told.loads).containsExactly(seconds + " wait, 0 hold");
        assertThat(told.requests.size()).isBetween(Reporter.MOST_PENDING - 1, Reporter.MOST_PENDING);
        assertThat(told.events).containsExactly("dropped " + (seconds - told.requests.size()));
    }

    @Test
    void hangingListener_sessionsAndRequestsForever_aBoundedNumberWaitAndTheNewestIsTold() {
        ClientLoop own = new ClientLoop(loop);
        Reporter reporter = new Reporter(own, ClientCallbacks.on(users), List.of(told));
        int changes = 3 * Reporter.MOST_RELIABLE;

        for (int i = 1; i <= changes; i++) {
            reporter.session("1", SessionState.SUSPENDED, Duration.ofMillis(i).toNanos(), "");
            reporter.answered(Telemetry.Request.Kind.READ, Telemetry.Request.Outcome.OK, 1);
        }
        users.run();

        assertThat(told.events.size() + told.requests.size()).isEqualTo(Reporter.MOST_RELIABLE);
        assertThat(told.events).first().asString().startsWith("dropped ");
        assertThat(told.events).contains("SUSPENDED " + Texts.of(Duration.ofMillis(changes)));
        long sessions = told.events.stream()
                .filter(event -> event.startsWith("SUSPENDED"))
                .count();
        long dropped = told.events.stream()
                .filter(event -> event.startsWith("dropped "))
                .mapToLong(event -> Long.parseLong(event.substring("dropped ".length())))
                .sum();
        assertThat(sessions + dropped + told.requests.size()).isEqualTo(2L * changes);
    }

    @Test
    void throwingListener_always_staysAndDisturbsNobody() {
        Told other = new Told();
        Telemetry throwing = new Telemetry() {
            @Override
            public void granted(Granted event) {
                told.note("granted");
                throw new IllegalStateException("broken");
            }

            @Override
            public void released(Released event) {
                told.note("released");
                throw new AssertionError("broken");
            }
        };
        DefaultCoordinator client = listening(throwing, other);

        held(client).releaseAsync();
        run();
        held(client);

        assertThat(told.events).containsExactly("granted", "released", "granted");
        assertThat(other.events)
                .containsExactly(
                        "CONNECTED 0 ms",
                        "granted orders 0 ms",
                        "released orders 0 ms",
                        "handed off orders 0 ms",
                        "granted orders 0 ms");
    }

    @Test
    void hangingListener_onRealThreads_holdsUpNeitherLocksNorOthersNorClosing() throws Exception {
        CountDownLatch hang = new CountDownLatch(1);
        CountDownLatch counted = new CountDownLatch(10);
        Telemetry hanging = new Telemetry() {
            @Override
            public void granted(Granted event) {
                try {
                    hang.await();
                } catch (InterruptedException end) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        Telemetry counting = new Telemetry() {
            @Override
            public void granted(Granted event) {
                counted.countDown();
            }
        };
        var options = CoordinatorOptions.builder()
                .closeTimeout(Duration.ofMillis(100))
                .telemetry(hanging)
                .telemetry(counting)
                .build();
        try (Coordinator baton = Coordinator.connect("mem:" + TelemetryTest.class.getName(), options)) {
            for (int i = 0; i < 10; i++) {
                baton.lock("orders").acquire().close();
            }
            assertThat(counted.await(30, TimeUnit.SECONDS)).isTrue();
        }
        hang.countDown();
    }

    @Test
    void listener_called_isNeverOnTheLoop() {
        DefaultCoordinator client = listening(told);
        told.events.clear();
        told.requests.clear();

        asked(client).cancel(false);
        loop.run();

        assertThat(told.events).isEmpty();
        assertThat(told.requests).isEmpty();
        users.run();
        assertThat(told.events).contains("granted orders 0 ms", "released orders 0 ms");
    }

    @Test
    void noListener_fullLife_handsTheCallbackThreadsTheHoldAndNothingElse() {
        List<Runnable> handedOver = new ArrayList<>();
        var options = CoordinatorOptions.builder().client("a").ttl(TTL).build();
        DefaultCoordinator client = DefaultCoordinator.start(store, loop, handedOver::add, options);
        loop.run();
        var unused = client.lock("orders").acquireAsync();
        loop.run();

        store.suspend("a");
        loop.run();
        store.resume();
        loop.run();
        store.expireSessions();
        loop.run();

        assertThat(client.state()).isEqualTo(SessionState.LOST);
        assertThat(handedOver).hasSize(1);
    }

    @Test
    void noListener_anything_makesNoObject() {
        ClientLoop own = new ClientLoop(loop);
        Reporter silent = new Reporter(own, ClientCallbacks.on(users), List.of());
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        runSilently(silent, own);

        long before = threads.getCurrentThreadAllocatedBytes();
        long idle = threads.getCurrentThreadAllocatedBytes() - before;
        before = threads.getCurrentThreadAllocatedBytes();
        runSilently(silent, own);
        long made = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(made).isEqualTo(idle);
        assertThat(silent.requests()).isEmpty();
    }

    private static void runSilently(Reporter silent, ClientLoop own) {
        for (int i = 0; i < 100; i++) {
            AcquisitionTelemetry journal = AcquisitionTelemetry.of(silent, own, "orders");
            journal.started();
            journal.rejoined("");
            journal.notGranted(Reason.FAILED, "");
            journal.removed();
            journal.done();
            silent.session("", SessionState.LOST, i, "");
        }
    }

    private static void begin(Acquisitions all, String name, boolean noWait, Duration limit) {
        Resource lock = Resource.lock(name);
        all.begin(lock, new LineContender(lock.line(), Claim.EXCLUSIVE), noWait, limit);
    }
}
