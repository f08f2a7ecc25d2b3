package io.baton.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.memory.MemoryStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Giving up races with the grant, thousands of times: the caller gets the hold or the exception, never both, never
 * neither, and no entry stays behind.
 */
@Timeout(120)
class AcquireRaceTest {

    private static final String STORE = "acquire-race-test";
    private static final String LINE = "locks/orders";
    private static final int ROUNDS = 2_000;

    private final MemoryStore store = MemoryStore.named(STORE);
    private final AtomicInteger held = new AtomicInteger();
    private final AtomicInteger notHeld = new AtomicInteger();
    private Coordinator baton;
    private DistributedLock lock;

    @BeforeEach
    void connect() throws InterruptedException {
        baton = Coordinator.connect(
                "mem:" + STORE, CoordinatorOptions.builder().client("racer").build());
        lock = baton.lock("orders");
    }

    @AfterEach
    void drop() {
        baton.close();
        MemoryStore.drop(STORE);
    }

    /** What a waiter reports: held or not; its hold is closed by the time it reports. */
    private void count(boolean granted) {
        (granted ? held : notHeld).incrementAndGet();
    }

    private void assertBothHappenedAndNothingIsLeft() throws InterruptedException {
        Eventually.holds(() -> store.peers(LINE).isEmpty());
        assertThat(held.get() + notHeld.get()).isEqualTo(ROUNDS);
        assertThat(held).hasPositiveValue();
        assertThat(notHeld).hasPositiveValue();
    }

    /** So much work before acting that over the rounds either side comes first. */
    private static void spin(int round) {
        for (int i = 0; i < round % 100 * 100; i++) {
            Thread.onSpinWait();
        }
    }

    @Test
    void acquire_interruptRacesWithTheGrant_eitherHoldsOrThrows() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Hold first = lock.acquire();
            CountDownLatch starting = new CountDownLatch(1);
            Threads.Started<Boolean> waiter = Threads.start(() -> {
                starting.countDown();
                try (Hold mine = lock.acquire()) {
                    mine.ensureValid(Duration.ZERO);
                    return true;
                } catch (InterruptedException gaveUp) {
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    return false;
                }
            });
            starting.await();
            if (round % 2 == 0) {
                Eventually.holds(() -> store.peers(LINE).size() == 2);
            }
            first.releaseAsync();
            spin(round);
            waiter.thread().interrupt();
            count(waiter.result().get());
        }
        assertBothHappenedAndNothingIsLeft();
    }

    @Test
    void acquire_interruptedButGranted_keepsTheInterrupt() throws Exception {
        int kept = 0;
        for (int round = 0; round < ROUNDS; round++) {
            CyclicBarrier together = new CyclicBarrier(2);
            Hold first = lock.acquire();
            Threads.Started<Boolean> waiter = Threads.start(() -> {
                together.await();
                boolean interrupted;
                try (Hold mine = lock.acquire()) {
                    mine.ensureValid(Duration.ZERO);
                    // The test interrupts before it joins this thread, so that the flag comes sooner or later.
                    Eventually.holds(() -> false);
                    interrupted = false;
                } catch (InterruptedException gaveUpOrKept) {
                    interrupted = true;
                }
                return interrupted;
            });
            together.await();
            first.releaseAsync();
            spin(round);
            waiter.thread().interrupt();
            kept += waiter.result().get() ? 1 : 0;
        }
        assertThat(kept).isEqualTo(ROUNDS);
        Eventually.holds(() -> store.peers(LINE).isEmpty());
    }

    @Test
    void tryAcquire_timeLimitRacesWithTheGrant_eitherHoldsOrIsEmpty() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Hold first = lock.acquire();
            Duration limit = Duration.ofMillis(1).plusNanos(round % 50 * 1_000L);
            Threads.Started<Boolean> waiter = Threads.start(() -> {
                Optional<Hold> mine = lock.tryAcquire(limit);
                mine.ifPresent(hold -> {
                    hold.ensureValid(Duration.ZERO);
                    hold.close();
                });
                return mine.isPresent();
            });
            Eventually.holds(
                    () -> store.peers(LINE).size() == 2 || waiter.result().isDone());
            spin(round);
            first.releaseAsync();
            count(waiter.result().get());
        }
        assertBothHappenedAndNothingIsLeft();
    }

    @Test
    void acquireAsync_cancelRacesWithTheGrant_eitherHoldsOrIsCancelled() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Hold first = lock.acquire();
            CompletableFuture<Hold> next = lock.acquireAsync();
            first.releaseAsync();
            spin(round);
            boolean cancelled = next.cancel(true);
            assertThat(cancelled).isEqualTo(next.isCancelled());
            count(granted(next));
        }
        assertBothHappenedAndNothingIsLeft();
    }

    private static boolean granted(CompletableFuture<Hold> next) throws InterruptedException, ExecutionException {
        try (Hold mine = next.get()) {
            mine.ensureValid(Duration.ZERO);
            return true;
        } catch (CancellationException gaveUp) {
            return false;
        }
    }
}
