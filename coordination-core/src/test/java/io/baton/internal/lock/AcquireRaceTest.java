package io.baton.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.LockOptions;
import io.baton.internal.Eventually;
import io.baton.internal.Threads;
import io.baton.memory.MemoryStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Giving up races with the grant, thousands of times: the caller gets the hold or the exception, never both, never
 * neither, and no entry stays behind.
 */
@Timeout(120)
class AcquireRaceTest {

    private static final String STORE = "acquire-race-test";
    private static final String LINE = "locks/orders";
    private static final Duration FAR_TOO_LONG = Duration.ofSeconds(60);
    private static final int ROUNDS = Boolean.getBoolean("baton.long") ? 10_000 : 500;

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

    /** Whoever did not get a hold has none: nobody is left in the line, and so nobody holds. */
    private void awaitEmptyLine() {
        soon(() -> store.peers(LINE).isEmpty());
    }

    /** As {@link Eventually#holds}, for what takes microseconds and is awaited thousands of times. */
    private static void soon(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - start).as("waited in vain").isLessThan(FAR_TOO_LONG.toNanos());
            Thread.yield();
        }
    }

    private void assertBothHappened() {
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
                soon(() -> store.peers(LINE).size() == 2);
            }
            first.releaseAsync();
            spin(round);
            waiter.thread().interrupt();
            count(waiter.result().get());
            awaitEmptyLine();
        }
        assertBothHappened();
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
            awaitEmptyLine();
        }
        assertThat(kept).isEqualTo(ROUNDS);
    }

    @Test
    void tryAcquire_timeLimitRacesWithTheGrant_eitherHoldsOrIsEmpty() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Hold first = lock.acquire();
            Duration limit = Duration.ofNanos(200_000 + round % 50 * 4_000L);
            Threads.Started<Boolean> waiter = Threads.start(() -> {
                Optional<Hold> mine = lock.tryAcquire(limit);
                mine.ifPresent(hold -> {
                    hold.ensureValid(Duration.ZERO);
                    hold.close();
                });
                return mine.isPresent();
            });
            soon(() -> store.peers(LINE).size() == 2 || waiter.result().isDone());
            spin(round);
            first.releaseAsync();
            count(waiter.result().get());
            awaitEmptyLine();
        }
        assertBothHappened();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void acquireAsync_cancelRacesWithTheGrant_eitherHoldsOrIsCancelled(boolean cohort) throws Exception {
        if (cohort) {
            lock = baton.lock(
                    "orders",
                    LockOptions.builder().cohort(1_000_000, FAR_TOO_LONG).build());
        }
        for (int round = 0; round < ROUNDS; round++) {
            Hold first = lock.acquire();
            CompletableFuture<Hold> next = lock.acquireAsync();
            first.releaseAsync();
            spin(round);
            boolean cancelled = next.cancel(true);
            assertThat(cancelled).isEqualTo(next.isCancelled());
            boolean granted = granted(next);
            assertThat(granted).isNotEqualTo(cancelled);
            count(granted);
            awaitEmptyLine();
        }
        assertBothHappened();
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
