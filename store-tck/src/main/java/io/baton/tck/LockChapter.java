package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.CoordinatorClosedException;
import io.baton.Dialect;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.LockLostException;
import io.baton.LockView;
import io.baton.QueueEntry;
import io.baton.SessionState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The lock as applications use it, without faults. */
abstract class LockChapter extends Chapter {

    /** Long enough for an answer of a busy store. */
    private static final Duration SHORT = Duration.ofSeconds(1);

    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** The counter that the threads of {@link #count} increment; unprotected on purpose. */
    private int counter;

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    @Test
    void acquire_freeLock_isHeldUntilClosed() throws InterruptedException {
        DistributedLock lock = coordinator().lock("tck");

        Hold hold = lock.acquire();
        assertThat(hold.name()).isEqualTo("tck");
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        assertThat(hold.remaining()).isPositive().isLessThanOrEqualTo(TTL);
        hold.ensureValid(Duration.ofMillis(1));
        assertThat(lock.queue()).hasSize(1);

        hold.close();
        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        assertThat(hold.remaining()).isZero();
        assertThat(lock.queue()).isEmpty();
    }

    /** Where names need no leading slash, it is part of the name. */
    @Test
    void lockAt_withoutASlashInFront_isRefusedOrALockOfItsOwn() throws InterruptedException {
        Coordinator baton = coordinator();
        DistributedLock lock;
        try {
            lock = baton.lockAt("tck-at", Dialect.BATON);
        } catch (IllegalArgumentException refused) {
            assertThat(refused).hasMessageContaining("'/'");
            return;
        }
        try (Hold hold = lock.acquire();
                Hold rooted = baton.lockAt("/tck-at", Dialect.BATON).acquire();
                Hold named = baton.lock("tck-at").acquire()) {
            assertThat(List.of(hold, rooted, named)).extracting(Hold::state).containsOnly(HoldState.HELD);
            assertThat(lock.tryAcquire()).isEmpty();
            assertThat(lock.queue()).hasSize(1);
        }
    }

    @Test
    void acquire_again_hasAHigherToken() throws InterruptedException {
        DistributedLock here = coordinator().lock("tck");
        DistributedLock there = coordinator().lock("tck");
        long last = Long.MIN_VALUE;
        for (int i = 0; i < 10; i++) {
            try (Hold hold = (i % 2 == 0 ? here : there).acquire()) {
                assertThat(hold.token()).isGreaterThan(last);
                last = hold.token();
            }
        }
    }

    @Test
    void tryAcquire_takenLock_isEmptyUntilReleased() throws InterruptedException {
        DistributedLock lock = coordinator().lock("tck");
        DistributedLock other = coordinator().lock("tck");
        Hold hold = lock.acquire();

        assertThat(lock.tryAcquire()).isEmpty();
        assertThat(other.tryAcquire()).isEmpty();
        assertThat(other.queue()).hasSize(1);

        hold.close();
        Optional<Hold> now = other.tryAcquire();
        assertThat(now).isPresent();
        now.orElseThrow().close();
    }

    @Test
    void tryAcquireWithTimeout_takenLock_isEmptyAndLeavesTheLine() throws InterruptedException {
        DistributedLock lock = coordinator().lock("tck");
        DistributedLock other = coordinator().lock("tck");
        try (Hold hold = lock.acquire()) {
            assertThat(other.tryAcquire(SHORT)).isEmpty();
            assertThat(lock.tryAcquire(SHORT)).isEmpty();

            soon().until(() -> standsAlone(lock, hold));
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void tryAcquireWithTimeout_releasedInTime_isHeld() throws Exception {
        DistributedLock lock = coordinator().lock("tck");
        DistributedLock other = coordinator().lock("tck");
        Hold hold = lock.acquire();
        Future<Optional<Hold>> waiting = threads.submit(() -> other.tryAcquire(PATIENCE));
        soon().until(() -> lock.queue().size() == 2);

        hold.close();

        Hold next = outcome(waiting).orElseThrow();
        assertThat(next.token()).isGreaterThan(hold.token());
        next.close();
    }

    @Test
    void acquire_threadsOfTwoCoordinators_areServedInTheOrderOfArrival() throws Exception {
        List<DistributedLock> locks =
                List.of(coordinator().lock("tck"), coordinator().lock("tck"));
        Hold first = locks.get(0).acquire();
        List<Integer> served = new CopyOnWriteArrayList<>();
        List<Future<?>> waiting = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            int number = i;
            waiting.add(threads.submit(() -> {
                try (Hold hold = locks.get(number % 2).acquire()) {
                    hold.ensureValid(Duration.ZERO);
                    served.add(number);
                }
                return number;
            }));
            soon().until(() -> locks.get(0).queue().size() == number + 2);
        }

        first.close();
        for (Future<?> thread : waiting) {
            outcome(thread);
        }

        assertThat(served).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    @Test
    void acquire_sixteenThreadsOfTwoCoordinators_excludeEachOther() throws Exception {
        List<DistributedLock> locks =
                List.of(coordinator().lock("tck"), coordinator().lock("tck"));
        List<Future<?>> counting = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            DistributedLock lock = locks.get(i % 2);
            counting.add(threads.submit(() -> count(lock, 20)));
        }
        for (Future<?> thread : counting) {
            outcome(thread);
        }

        assertThat(counter).isEqualTo(16 * 20);
        assertThat(locks.get(0).queue()).isEmpty();
    }

    @Test
    void acquire_interrupted_leavesTheLine() throws Exception {
        DistributedLock lock = coordinator().lock("tck");
        try (Hold hold = lock.acquire()) {
            Future<Hold> waiting = threads.submit(lock::acquire);
            soon().until(() -> lock.queue().size() == 2);

            waiting.cancel(true);

            soon().until(() -> standsAlone(lock, hold));
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void acquire_interruptedBefore_throwsAndHoldsNothing() throws Exception {
        DistributedLock lock = coordinator().lock("tck");
        Thread.currentThread().interrupt();

        assertThatThrownBy(lock::acquire).isInstanceOf(InterruptedException.class);

        assertThat(Thread.interrupted()).isFalse();
        soon().until(() -> lock.queue().isEmpty());
    }

    @Test
    void acquireAsync_freeLock_completesWithAHold() throws Exception {
        DistributedLock lock = coordinator().lock("tck");

        Hold hold = outcome(lock.acquireAsync());

        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        outcome(hold.releaseAsync());
        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        assertThat(lock.queue()).isEmpty();
    }

    @Test
    void acquireAsync_cancelledWhileWaiting_leavesTheLine() throws Exception {
        DistributedLock lock = coordinator().lock("tck");
        try (Hold hold = lock.acquire()) {
            CompletableFuture<Hold> waiting = lock.acquireAsync();
            soon().until(() -> lock.queue().size() == 2);

            waiting.cancel(true);

            soon().until(() -> standsAlone(lock, hold));
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
        }
        assertThat(outcome(lock.acquireAsync()).state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void acquireAsync_cancelledAsItIsGranted_leavesNothingBehind() throws Exception {
        DistributedLock lock = coordinator().lock("tck");
        for (int i = 0; i < 50; i++) {
            Hold hold = lock.acquire();
            CompletableFuture<Hold> waiting = lock.acquireAsync();
            CompletableFuture<Void> released = hold.releaseAsync();
            if (!waiting.cancel(true)) {
                outcome(waiting).close();
            }
            outcome(released);
            assertThatThrownBy(() -> outcome(waiting).ensureValid(Duration.ofMillis(1)))
                    .isInstanceOfAny(CancellationException.class, LockLostException.class);
        }
        soon().until(() -> lock.queue().isEmpty());
    }

    @Test
    void close_twice_isTheSameAsOnce() throws InterruptedException {
        DistributedLock lock = coordinator().lock("tck");
        Hold first = lock.acquire();
        first.close();
        try (Hold second = lock.acquire()) {
            first.close();
            outcome(first.releaseAsync());

            assertThat(second.state()).isEqualTo(HoldState.HELD);
            assertThat(lock.queue()).hasSize(1);
        }
    }

    @Test
    void close_thenOnLost_isNeverCalled() throws InterruptedException {
        Hold hold = coordinator().lock("tck").acquire();
        List<String> lost = new CopyOnWriteArrayList<>();
        hold.onLost(() -> lost.add("before"));
        hold.close();
        hold.onLost(() -> lost.add("after"));

        stays(lost::isEmpty);
    }

    @Test
    void ensureValid_longerThanTheSession_throwsThoughHeld() throws InterruptedException {
        try (Hold hold = coordinator().lock("tck").acquire()) {
            Duration tooLong = TTL.multipliedBy(2);

            assertThatThrownBy(() -> hold.ensureValid(tooLong)).isInstanceOf(LockLostException.class);

            assertThat(hold.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void ensureValid_released_throws() throws InterruptedException {
        Hold hold = coordinator().lock("tck").acquire();
        hold.close();

        assertThatThrownBy(() -> hold.ensureValid(Duration.ZERO)).isInstanceOf(LockLostException.class);
    }

    @Test
    void queue_holderAndWaiters_tellsWhoTheyAre() throws Exception {
        Coordinator here = coordinator();
        DistributedLock lock = here.lock("tck");
        try (Hold hold = lock.acquire()) {
            CompletableFuture<Hold> waiting = coordinator().lock("tck").acquireAsync();
            soon().until(() -> lock.queue().size() == 2);

            List<QueueEntry> queue = lock.queue();

            assertThat(queue).extracting(QueueEntry::holder).containsExactly(true, false);
            assertThat(queue).extracting(QueueEntry::client).containsOnly("tck");
            assertThat(queue)
                    .extracting(QueueEntry::pid)
                    .containsOnly(ProcessHandle.current().pid());
            assertThat(queue)
                    .extracting(QueueEntry::host)
                    .allSatisfy(host -> assertThat(host).isNotBlank());
            assertThat(queue).extracting(QueueEntry::since).allMatch(Optional::isPresent);
            assertThat(queue.get(0).token()).isEqualTo(hold.token());
            assertThat(queue.get(1).token()).isGreaterThan(hold.token());
            waiting.cancel(true);
        }
    }

    @Test
    @SuppressWarnings("LockNotBeforeTry")
    void asLock_nested_isReentrantWithTheSameToken() throws InterruptedException {
        DistributedLock lock = coordinator().lock("tck");
        LockView view = lock.asLock();
        assertThat(view.current()).isEmpty();

        view.lockInterruptibly();
        long token = view.current().orElseThrow().token();
        view.lock();
        assertThat(view.tryLock()).isTrue();
        assertThat(view.tryLock(1, TimeUnit.SECONDS)).isTrue();
        assertThat(view.current().orElseThrow().token()).isEqualTo(token);
        assertThat(lock.queue()).hasSize(1);

        for (int i = 0; i < 3; i++) {
            view.unlock();
            assertThat(lock.queue()).hasSize(1);
        }
        view.unlock();
        assertThat(view.current()).isEmpty();
        assertThat(lock.queue()).isEmpty();
    }

    @Test
    void close_onAnotherThread_releases() throws Exception {
        DistributedLock lock = coordinator().lock("tck");
        Hold hold = lock.acquire();

        outcome(threads.submit(hold::close));

        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        lock.tryAcquire().orElseThrow().close();
    }

    @Test
    @SuppressWarnings("LockNotBeforeTry")
    void asLock_otherThread_isExcludedAndMayNotUnlock() throws Exception {
        LockView view = coordinator().lock("tck").asLock();
        view.lockInterruptibly();

        assertThat(outcome(threads.submit(() -> view.tryLock()))).isFalse();
        Future<?> unlocking = threads.submit(view::unlock);
        assertThatThrownBy(() -> outcome(unlocking)).isInstanceOf(IllegalMonitorStateException.class);

        view.unlock();
        assertThatThrownBy(view::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(view::newCondition).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void lock_oddNames_areLocksOfTheirOwn() throws InterruptedException {
        Coordinator baton = coordinator();
        List<Hold> holds = new ArrayList<>();
        for (String name : OddNames.ALL) {
            Optional<Hold> hold = baton.lock(name).tryAcquire();
            assertThat(hold).as("the lock %s", name).isPresent();
            assertThat(hold.orElseThrow().name()).isEqualTo(name);
            assertThat(baton.lock(name).tryAcquire())
                    .as("the lock %s, taken", name)
                    .isEmpty();
            holds.add(hold.orElseThrow());
        }
        holds.forEach(Hold::close);
    }

    @Test
    void close_coordinator_failsItsWaitersAndFreesItsLocks() throws Exception {
        Coordinator closing = coordinator();
        DistributedLock other = coordinator().lock("tck");
        Hold hold = closing.lock("tck").acquire();
        Future<Hold> waiting = threads.submit(() -> closing.lock("tck").acquire());
        CompletableFuture<Hold> waitingAsync = closing.lock("tck").acquireAsync();
        soon().until(() -> other.queue().size() == 3);

        closing.close();
        closing.close();

        assertThat(closing.state()).isEqualTo(SessionState.CLOSED);
        assertThatThrownBy(() -> outcome(waiting)).isInstanceOf(CoordinatorClosedException.class);
        assertThatThrownBy(() -> outcome(waitingAsync)).isInstanceOf(CoordinatorClosedException.class);
        assertThat(hold.state()).isIn(HoldState.RELEASED, HoldState.LOST);
        hold.close();
        try (Hold next = other.tryAcquire(PATIENCE).orElseThrow()) {
            assertThat(next.token()).isGreaterThan(hold.token());
        }
    }

    private static boolean standsAlone(DistributedLock lock, Hold hold) throws InterruptedException {
        List<QueueEntry> queue = lock.queue();
        return queue.size() == 1 && queue.get(0).token() == hold.token();
    }

    private boolean count(DistributedLock lock, int times) throws InterruptedException {
        for (int i = 0; i < times; i++) {
            try (Hold hold = lock.acquire()) {
                int seen = counter;
                hold.ensureValid(Duration.ZERO);
                counter = seen + 1;
            }
        }
        return true;
    }
}
