package io.baton.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.DistributedLock;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.KeptLog;
import io.baton.LockView;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.internal.Eventually;
import io.baton.internal.HandLoop;
import io.baton.internal.LoggedProcess;
import io.baton.internal.Threads;
import io.baton.memory.MemoryStore;
import io.baton.recipe.ClientLoop;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Holds that a program has dropped, with the garbage collector that there is. */
@Timeout(120)
class LeakDetectorTest {

    private static final String STORE = "leak-detector-test";

    private final KeptLog log = new KeptLog();
    private final HandLoop clock = new HandLoop();
    private final LeakDetector detector = new LeakDetector(new ClientLoop(clock), log);
    private Coordinator baton;

    @BeforeEach
    void connect() throws InterruptedException {
        baton = connected(false);
    }

    @AfterEach
    void drop() {
        baton.close();
        MemoryStore.drop(STORE);
    }

    private static Coordinator connected(boolean leakDetection) throws InterruptedException {
        return Coordinator.connect(
                "mem:" + STORE,
                CoordinatorOptions.builder().leakDetection(leakDetection).build());
    }

    private Hold handle(String lock) throws InterruptedException {
        return detector.here().apply(FencedHold.of(baton.lock(lock).acquire()).orElseThrow());
    }

    /** In a frame of its own, of which nothing is left when it has returned. */
    private void leak(String lock) throws InterruptedException {
        assertThat(handle(lock).state()).isEqualTo(HoldState.HELD);
    }

    private static void collectedUntil(BooleanSupplier condition) throws InterruptedException {
        Eventually.holds(() -> {
            System.gc();
            return condition.getAsBoolean();
        });
    }

    /** What is dropped after other things is told after them, or they would have been told by then. */
    private void collectedAll() throws InterruptedException {
        leak("the last");
        collectedUntil(() -> log.lines().stream().anyMatch(line -> line.contains("the last")));
    }

    @Test
    void hold_droppedBeforeItWasClosed_isToldOnceWithItsStackAndStaysHeld() throws InterruptedException {
        leak("orders");

        collectedUntil(() -> !log.lines().isEmpty());
        collectedAll();

        assertThat(log.lines()).hasSize(2).first().asString().startsWith("WARN lock 'orders' with token ");
        Throwable where = log.thrown().get(0);
        assertThat(where).hasMessageContaining(Thread.currentThread().getName());
        assertThat(where.getStackTrace())
                .extracting(StackTraceElement::getMethodName)
                .contains("hold_droppedBeforeItWasClosed_isToldOnceWithItsStackAndStaysHeld");
        assertThat(baton.lock("orders").tryAcquire()).isEmpty();
    }

    @Test
    void hold_closedOrReleased_isNotTold() throws InterruptedException {
        handle("closed").close();
        handle("released").releaseAsync();

        collectedAll();

        assertThat(log.lines()).hasSize(1);
    }

    @Test
    void hold_lost_isNotTold() throws InterruptedException {
        leakWhatIsLost();

        collectedAll();

        assertThat(log.lines()).hasSize(1);
    }

    private void leakWhatIsLost() throws InterruptedException {
        Hold lost = handle("lost");
        MemoryStore.named(STORE).expireSessions();
        Eventually.holds(() -> lost.state() == HoldState.LOST);
    }

    @Test
    void hold_ofAClosedCoordinator_isNotTold() throws InterruptedException {
        leak("closed with its coordinator");
        baton.close();
        baton = connected(false);

        collectedAll();

        assertThat(log.lines()).noneMatch(line -> line.contains("its coordinator'"));
    }

    @Test
    void hold_inUse_isNotTold() throws InterruptedException {
        try (Hold kept = handle("kept")) {
            collectedAll();

            assertThat(log.lines()).hasSize(1);
            assertThat(kept.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void report_manyLeaks_areToldWithinALimitAndCounted() throws InterruptedException {
        try (Hold hold = baton.lock("orders").acquire()) {
            FencedHold leaked = FencedHold.of(hold).orElseThrow();
            for (int i = 0; i < LeakDetector.LINES + 5; i++) {
                detector.report(leaked, new Throwable());
            }
            assertThat(log.lines()).hasSize(LeakDetector.LINES);

            clock.pass(LeakDetector.PERIOD);
            detector.report(leaked, new Throwable());

            assertThat(log.lines()).last().asString().contains("5 other leaks were kept back");
        }
    }

    // ---- a coordinator's own

    @Test
    void acquire_leakDetectionOn_handsOutHoldsThatDoAllThatHoldsDo() throws Exception {
        try (Coordinator looking = connected(true)) {
            DistributedLock lock = looking.lock("orders");
            Op op = Op.put(new RecordKey("shop", "stock"), "7");
            for (int i = 0; i < 2; i++) {
                Hold hold = i == 0 ? lock.acquire() : lock.acquireAsync().get();
                assertThat(hold)
                        .isInstanceOf(TrackedHold.class)
                        .hasToString("lock 'orders' with token " + hold.token());
                hold.ensureValid(Duration.ofMillis(1));
                assertThat(looking.transact(List.of(Guard.held(hold)), List.of(op)))
                        .isTrue();
                hold.close();
                assertThat(looking.transact(List.of(Guard.held(hold)), List.of(op)))
                        .isFalse();
            }
            LockView view = lock.asLock();
            view.lock();
            assertThat(view.current()).get().isInstanceOf(TrackedHold.class);
            view.unlock();
            assertThat(lock.tryAcquire()).get().isInstanceOf(TrackedHold.class);
        }
    }

    @Test
    void acquireAsync_leakDetectionOnAndCancelled_leavesTheLine() throws Exception {
        try (Coordinator looking = connected(true);
                Hold busy = baton.lock("orders").acquire()) {
            CompletableFuture<Hold> waiting = looking.lock("orders").acquireAsync();
            Eventually.holds(
                    () -> MemoryStore.named(STORE).peers("locks/orders").size() == 2);

            waiting.cancel(false);

            Eventually.holds(
                    () -> MemoryStore.named(STORE).peers("locks/orders").size() == 1);
            assertThat(busy.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void coordinator_leakDetectionOn_warnsInItsLog() throws Exception {
        try (LoggedProcess leaking = LoggedProcess.start(Leaking.class)) {
            Set<String> missing = new HashSet<>(Set.of("Leaking.take(", "Leaking.takeAsync(", "Leaking.takeView("));
            List<String> said = leaking.readUntil(line -> {
                missing.removeIf(line::contains);
                return missing.isEmpty();
            });

            assertThat(missing).as("%s", said).isEmpty();
            for (String lock : List.of("taken", "async", "viewed")) {
                assertThat(said)
                        .anySatisfy(line -> assertThat(line)
                                .contains("WARN io.baton.Coordinator - lock '" + lock + "' with token ")
                                .contains("was never closed"));
            }
            assertThat(said).anySatisfy(line -> assertThat(line).contains("acquired here, by thread main"));
        }
    }

    /** Drops holds that it has got in every way, and gives the collector its chances. */
    static final class Leaking {

        private Leaking() {}

        public static void main(String[] args) throws Exception {
            Coordinator looking = connected(true);
            take(looking.lock("taken"));
            takeAsync(looking.lock("async"));
            Threads.start(() -> {
                        takeView(looking.lock("viewed").asLock());
                        return null;
                    })
                    .result()
                    .get();
            for (int chances = 0; chances < 600; chances++) {
                System.gc();
                Thread.sleep(100);
            }
        }

        private static void take(DistributedLock lock) throws InterruptedException {
            assertThat(lock.acquire().state()).isEqualTo(HoldState.HELD);
        }

        private static void takeAsync(DistributedLock lock) throws Exception {
            assertThat(lock.acquireAsync().get().state()).isEqualTo(HoldState.HELD);
        }

        private static void takeView(LockView lock) {
            lock.lock();
            assertThat(lock.current()).isPresent();
        }
    }
}
