package io.baton.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.QueueEntry;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.internal.Eventually;
import io.baton.internal.Threads;
import io.baton.memory.MemoryStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The lock with real threads, on the store in memory. */
@Timeout(60)
class QueuedLockTest {

    private static final String STORE = "queued-lock-test";
    private static final String LINE = "locks/orders";

    private final MemoryStore store = MemoryStore.named(STORE);
    private Coordinator baton;
    private DistributedLock lock;

    @BeforeEach
    void connect() throws InterruptedException {
        baton = Coordinator.connect(
                "mem:" + STORE,
                CoordinatorOptions.builder()
                        .client("worker")
                        .requestTimeout(Duration.ofMillis(200))
                        .closeTimeout(Duration.ofMillis(200))
                        .build());
        lock = baton.lock("orders");
    }

    @AfterEach
    void drop() {
        store.resume();
        baton.close();
        MemoryStore.drop(STORE);
    }

    @Test
    void acquire_twentyThreads_excludeEachOtherInTheOrderOfTheLine() throws Exception {
        int threads = 20;
        int rounds = 50;
        List<Long> granted = new ArrayList<>();
        List<CompletableFuture<Integer>> overlaps = new ArrayList<>();
        int[] inside = new int[1];
        for (int i = 0; i < threads; i++) {
            overlaps.add(Threads.start(() -> {
                        int seen = 0;
                        for (int round = 0; round < rounds; round++) {
                            try (Hold hold = lock.acquire()) {
                                seen += inside[0]++;
                                granted.add(hold.token());
                                inside[0]--;
                            }
                        }
                        return seen;
                    })
                    .result());
        }

        for (CompletableFuture<Integer> each : overlaps) {
            assertThat(each.get()).isZero();
        }
        // A token is the place in the order of joining: rising tokens are grants in that order.
        assertThat(granted).hasSize(threads * rounds).isSorted().doesNotHaveDuplicates();
        assertThat(store.peers(LINE)).isEmpty();
    }

    @Test
    void tryAcquire_free_holds() throws InterruptedException {
        Optional<Hold> hold = lock.tryAcquire();

        assertThat(hold).isPresent();
        assertThat(hold.get().state()).isEqualTo(HoldState.HELD);
        assertThat(hold.get().name()).isEqualTo("orders");
    }

    @Test
    void tryAcquire_taken_isEmptyAndWritesNothing() throws InterruptedException {
        Hold first = lock.acquire();
        long before = first.token();

        assertThat(lock.tryAcquire()).isEmpty();
        assertThat(lock.tryAcquire(Duration.ZERO)).isEmpty();

        first.close();
        try (Hold next = lock.acquire()) {
            assertThat(next.token()).isEqualTo(before + 1);
        }
    }

    @Test
    void tryAcquire_takenForTooLong_isEmptyAndLeavesTheLine() throws InterruptedException {
        try (Hold first = lock.acquire()) {
            assertThat(lock.tryAcquire(Duration.ofMillis(20))).isEmpty();
            Eventually.holds(() -> store.peers(LINE).size() == 1);
            assertThat(first.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void tryAcquire_freedInTime_holds() throws Exception {
        Hold first = lock.acquire();
        Threads.Started<Optional<Hold>> next = Threads.start(() -> lock.tryAcquire(Duration.ofSeconds(30)));
        Eventually.holds(() -> store.peers(LINE).size() == 2);

        first.close();

        assertThat(next.result().get()).isPresent();
    }

    @Test
    void tryAcquire_storeOutOfReach_saysSo() {
        store.suspend();

        assertThatThrownBy(() -> lock.tryAcquire())
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("orders", "200 ms");
        assertThatThrownBy(() -> lock.tryAcquire(Duration.ofMillis(30)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("orders", "30 ms");
    }

    @Test
    void runIfAcquired_free_runsWhileHeldAndReleases() throws InterruptedException {
        List<HoldState> states = new ArrayList<>();
        List<Hold> given = new ArrayList<>();

        boolean ran = lock.runIfAcquired(Duration.ofSeconds(30), hold -> {
            given.add(hold);
            states.add(hold.state());
        });

        assertThat(ran).isTrue();
        assertThat(states).containsExactly(HoldState.HELD);
        assertThat(given.get(0).state()).isEqualTo(HoldState.RELEASED);
        assertThat(lock.tryAcquire()).isPresent();
    }

    @Test
    void runIfAcquired_actionThrows_throwsTheSameAndReleases() throws InterruptedException {
        IOException broken = new IOException("broken");

        assertThatThrownBy(() -> lock.runIfAcquired(Duration.ZERO, hold -> {
                    throw broken;
                }))
                .isSameAs(broken);

        assertThat(lock.tryAcquire()).isPresent();
    }

    @Test
    void runIfAcquired_takenForTooLong_runsNothingAndLeavesTheLine() throws InterruptedException {
        try (Hold first = lock.acquire()) {
            List<Hold> given = new ArrayList<>();

            assertThat(lock.runIfAcquired(Duration.ZERO, given::add)).isFalse();
            assertThat(lock.runIfAcquired(Duration.ofMillis(20), given::add)).isFalse();

            assertThat(given).isEmpty();
            Eventually.holds(() -> store.peers(LINE).size() == 1);
            assertThat(first.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void acquire_interruptedBefore_joinsNothing() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> lock.acquire()).isInstanceOf(InterruptedException.class);

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(store.peers(LINE)).isEmpty();
    }

    @Test
    void acquire_interruptedWhileWaiting_leavesTheLine() throws Exception {
        try (Hold first = lock.acquire()) {
            Threads.Started<Hold> next = Threads.start(() -> lock.acquire());
            Eventually.holds(() -> store.peers(LINE).size() == 2);

            next.thread().interrupt();

            assertThatThrownBy(next.result()::get).hasCauseInstanceOf(InterruptedException.class);
            Eventually.holds(() -> store.peers(LINE).size() == 1);
            assertThat(first.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void acquire_interruptedOutOfContact_returnsAllTheSame() throws Exception {
        Hold first = lock.acquire();
        Threads.Started<Hold> next = Threads.start(() -> lock.acquire());
        Eventually.holds(() -> store.peers(LINE).size() == 2);
        store.suspend();

        next.thread().interrupt();

        assertThatThrownBy(next.result()::get).hasCauseInstanceOf(InterruptedException.class);
        first.close();
        store.resume();
        Eventually.holds(() -> store.peers(LINE).isEmpty());
    }

    @Test
    void acquire_sessionLostWhileWaiting_failsInTheCallersThread() throws Exception {
        var unused = lock.acquire();
        Threads.Started<Hold> next = Threads.start(() -> lock.acquire());
        Eventually.holds(() -> store.peers(LINE).size() == 2);

        store.expireSessions();

        assertThatThrownBy(next.result()::get)
                .cause()
                .isInstanceOf(SessionLostException.class)
                .satisfies(failure -> assertThat(failure.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().equals(QueuedLock.class.getName())));
        try (Hold again = lock.acquire()) {
            assertThat(again.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void close_removalNotConfirmed_waitsForIt() throws Exception {
        CoordinatorOptions patient = CoordinatorOptions.builder()
                .client("patient")
                .closeTimeout(Duration.ofDays(1))
                .build();
        Coordinator other = Coordinator.connect("mem:" + STORE, patient);
        Hold hold = other.lock("orders").acquire();
        store.suspend("patient");
        Threads.Started<Boolean> closing = Threads.start(() -> {
            hold.close();
            return store.peers(LINE).isEmpty();
        });
        Eventually.holds(() -> closing.thread().getState() == Thread.State.TIMED_WAITING
                || closing.result().isDone());
        assertThat(closing.result()).isNotDone();

        store.resume();

        assertThat(closing.result().get()).isTrue();
        other.close();
    }

    @Test
    void close_outOfContact_returnsAfterTheCloseTimeout() throws InterruptedException {
        Hold hold = lock.acquire();
        store.suspend();

        hold.close();

        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        store.resume();
        Eventually.holds(() -> store.peers(LINE).isEmpty());
    }

    @Test
    void close_insideACallback_doesNotWait() throws InterruptedException {
        CoordinatorOptions patient = CoordinatorOptions.builder()
                .client("patient")
                .closeTimeout(Duration.ofDays(1))
                .build();
        Coordinator other = Coordinator.connect("mem:" + STORE, patient);
        Hold hold = other.lock("orders").acquire();
        CountDownLatch closed = new CountDownLatch(1);
        hold.onState(state -> {
            if (state == HoldState.JEOPARDY) {
                hold.close();
                closed.countDown();
            }
        });

        // Out of contact: a close that waits would wait for a day.
        store.suspend("patient");
        closed.await();

        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        store.resume();
        Eventually.holds(() -> store.peers(LINE).isEmpty());
        other.close();
    }

    @Test
    void queue_holderAndWaiter_describesBothInOrder() throws Exception {
        try (Hold hold = lock.acquire()) {
            CompletableFuture<Hold> next = lock.acquireAsync();
            Eventually.holds(() -> store.peers(LINE).size() == 2);

            List<QueueEntry> queue = lock.queue();

            assertThat(queue).extracting(QueueEntry::holder).containsExactly(true, false);
            assertThat(queue.get(0).token()).isEqualTo(hold.token());
            assertThat(queue).allSatisfy(entry -> {
                assertThat(entry.client()).isEqualTo("worker");
                assertThat(entry.pid()).isEqualTo(ProcessHandle.current().pid());
                assertThat(entry.since()).isPresent();
            });
            next.cancel(false);
        }
    }

    @Test
    void queue_nobody_isEmpty() throws InterruptedException {
        assertThat(lock.queue()).isEmpty();
    }

    @Test
    void queue_storeOutOfReach_saysSo() {
        store.suspend();

        assertThatThrownBy(() -> lock.queue())
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("orders", "200 ms");
    }
}
