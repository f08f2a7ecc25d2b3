package io.baton.internal.callback;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.internal.Sneaky;
import io.baton.recipe.Callbacks;
import io.baton.recipe.Futures;
import io.baton.recipe.ListenerGuard;
import io.baton.recipe.ListenerQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CallbacksTest {

    private final ClientCallbacks callbacks = ClientCallbacks.pooled("test");
    private final CountDownLatch hang = new CountDownLatch(1);

    @AfterEach
    void close() {
        hang.countDown();
        callbacks.close();
        callbacks.awaitEnd(Duration.ofSeconds(30));
    }

    private ListenerQueue<Integer> delivery(List<Integer> to, CountDownLatch left) {
        return new ListenerQueue<>(
                callbacks,
                "numbers",
                value -> {
                    to.add(value);
                    left.countDown();
                },
                Deque::addLast);
    }

    private void hang() {
        try {
            hang.await();
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void offer_urgentWhileAllThreadsAreBlocked_isDeliveredWithWhatWaitsBeforeIt() throws InterruptedException {
        blockAllThreads();
        List<Integer> got = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch left = new CountDownLatch(2);
        ListenerQueue<Integer> delivery = new ListenerQueue<>(
                callbacks,
                new ListenerGuard(this, "numbers"),
                value -> {
                    got.add(value);
                    left.countDown();
                },
                Deque::addLast,
                value -> value == 2);

        delivery.offer(1);
        assertThat(left.getCount()).isEqualTo(2);
        delivery.offer(2);

        assertThat(left.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(got).containsExactly(1, 2);
        hang.countDown();
    }

    /** The thread that was asked for first comes in the end, and finds nothing to do. */
    @Test
    void offer_urgentMessagesAmongMany_areDeliveredInOrderOneAtATime() throws InterruptedException {
        assertDeliveredInOrderOneAtATime(value -> value % 3 == 0);
    }

    @Test
    void runUrgently_whileAllThreadsAreBlocked_runs() throws InterruptedException {
        blockAllThreads();
        CountDownLatch ran = new CountDownLatch(1);

        assertThat(callbacks.runUrgently(ran::countDown)).isTrue();

        assertThat(ran.await(30, TimeUnit.SECONDS)).isTrue();
        hang.countDown();
    }

    private void blockAllThreads() throws InterruptedException {
        CountDownLatch blocked = new CountDownLatch(CallbackPool.MAX_THREADS);
        for (int i = 0; i < CallbackPool.MAX_THREADS; i++) {
            callbacks.run(() -> {
                blocked.countDown();
                hang();
            });
        }
        assertThat(blocked.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void offer_manyMessages_areDeliveredInOrderOneAtATime() throws InterruptedException {
        assertDeliveredInOrderOneAtATime(value -> false);
    }

    private void assertDeliveredInOrderOneAtATime(Predicate<Integer> urgent) throws InterruptedException {
        int count = 10_000;
        List<Integer> got = new ArrayList<>();
        CountDownLatch left = new CountDownLatch(count);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        ListenerQueue<Integer> delivery = new ListenerQueue<>(
                callbacks,
                new ListenerGuard(this, "numbers"),
                value -> {
                    overlaps.addAndGet(inside.getAndIncrement());
                    got.add(value);
                    inside.decrementAndGet();
                    left.countDown();
                },
                Deque::addLast,
                urgent);

        List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            expected.add(i);
            delivery.offer(i);
        }

        assertThat(left.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(got).isEqualTo(expected);
        assertThat(overlaps).hasValue(0);
    }

    @Test
    void handingOn_nothingElseWaits_isDoneByTheThreadThatHasTaken() throws Exception {
        CompletableFuture<Thread> taker = new CompletableFuture<>();
        CompletableFuture<Thread> after = new CompletableFuture<>();
        ListenerQueue<Integer> delivery = ListenerQueue.withContinuations(
                callbacks,
                value -> {
                    taker.complete(Thread.currentThread());
                    return () -> after.complete(Thread.currentThread());
                },
                Deque::addLast);

        delivery.offer(1);

        assertThat(after.get(30, TimeUnit.SECONDS)).isSameAs(taker.get());
    }

    @Test
    void handingOn_whatIsHandedOnHangs_othersAreTakenMeanwhile() throws Exception {
        CountDownLatch handedOn = new CountDownLatch(3);
        ListenerQueue<Integer> delivery = ListenerQueue.withContinuations(
                callbacks,
                value -> () -> {
                    handedOn.countDown();
                    hang();
                },
                Deque::addLast);

        for (int i = 0; i < 3; i++) {
            delivery.offer(i);
        }

        assertThat(handedOn.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void handingOn_takerNotReady_whatIsOfferedWaitsUntilItIs() throws Exception {
        BlockingQueue<Integer> taken = new LinkedBlockingQueue<>();
        Semaphore looked = new Semaphore(0);
        AtomicBoolean ready = new AtomicBoolean();
        ListenerQueue<Integer> delivery = ListenerQueue.withContinuations(
                callbacks,
                new ListenerQueue.Taker<>() {
                    @Override
                    public Runnable take(Integer message) {
                        taken.add(message);
                        return null;
                    }

                    @Override
                    public boolean ready() {
                        looked.release();
                        return ready.get();
                    }
                },
                Deque::addLast);

        delivery.offer(0);
        assertThat(looked.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        delivery.offer(1);
        assertThat(looked.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        assertThat(taken).isEmpty();
        ready.set(true);
        delivery.resume();

        assertThat(taken.poll(30, TimeUnit.SECONDS)).isZero();
        assertThat(taken.poll(30, TimeUnit.SECONDS)).isEqualTo(1);
    }

    @Test
    void handingOn_fails_theNextIsTaken() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        ListenerQueue<Integer> delivery = ListenerQueue.withContinuations(
                callbacks,
                value -> () -> {
                    if (value == 0) {
                        throw new IllegalStateException("on purpose");
                    }
                    told.countDown();
                },
                Deque::addLast);

        delivery.offer(0);
        delivery.offer(1);

        assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void offer_otherListenersHang_isNotDelayed() throws InterruptedException {
        for (int i = 0; i < CallbackPool.MAX_THREADS - 1; i++) {
            new ListenerQueue<Integer>(callbacks, "numbers", value -> hang(), Deque::addLast).offer(i);
        }
        CountDownLatch left = new CountDownLatch(100);
        ListenerQueue<Integer> prompt = delivery(Collections.synchronizedList(new ArrayList<>()), left);

        for (int i = 0; i < 100; i++) {
            prompt.offer(i);
        }

        assertThat(left.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void execute_oneTaskAfterTheOther_usesFewThreads() throws InterruptedException {
        Set<Thread> used = Collections.synchronizedSet(new HashSet<>());
        for (int i = 0; i < 1_000; i++) {
            CountDownLatch ran = new CountDownLatch(1);
            callbacks.run(() -> {
                used.add(Thread.currentThread());
                ran.countDown();
            });
            ran.await();
        }

        // One, but for a thread that on a busy machine has not yet come back when the next task is there.
        assertThat(used).hasSizeLessThan(50).allMatch(Thread::isDaemon);
    }

    @Test
    void execute_moreTasksThanThreads_runsAll() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(1_000);
        for (int i = 0; i < 1_000; i++) {
            callbacks.run(() -> {
                hang();
                ran.countDown();
            });
        }
        hang.countDown();

        assertThat(ran.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void run_taskThrowsOrInterruptsItself_othersAreNotAffected() throws InterruptedException {
        callbacks.run(() -> {
            throw new IllegalStateException("on purpose");
        });
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        callbacks.run(() -> Thread.currentThread().interrupt());
        callbacks.run(() -> interrupted.complete(Thread.currentThread().isInterrupted()));

        assertThat(Futures.interruptibly(interrupted)).isFalse();
    }

    @Test
    void inside_onCallbackThreadOnly_isTrue() throws InterruptedException {
        CompletableFuture<Boolean> there = new CompletableFuture<>();
        callbacks.run(() -> there.complete(Callbacks.inside()));

        assertThat(Futures.interruptibly(there)).isTrue();
        assertThat(Callbacks.inside()).isFalse();
    }

    @Test
    void close_queuedTasks_runThemAndEndAllThreads() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(200);
        Set<Thread> used = Collections.synchronizedSet(new HashSet<>());
        for (int i = 0; i < 200; i++) {
            callbacks.run(() -> {
                used.add(Thread.currentThread());
                ran.countDown();
            });
        }

        callbacks.close();
        callbacks.awaitEnd(Duration.ofSeconds(30));

        assertThat(ran.getCount()).isZero();
        assertThat(callbacks.run(() -> {})).isFalse();
        for (Thread thread : used) {
            thread.join();
        }
    }

    @Test
    void awaitEnd_hungListener_isInterruptedAfterTheLimit() throws InterruptedException {
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch started = new CountDownLatch(1);
        callbacks.run(() -> {
            started.countDown();
            hang();
            interrupted.countDown();
        });
        started.await();

        callbacks.close();
        callbacks.awaitEnd(Duration.ofMillis(1));

        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void run_usersExecutorRefuses_runsElsewhere() throws InterruptedException {
        Callbacks refused = ClientCallbacks.on(task -> {
            throw new RejectedExecutionException("full");
        });
        CompletableFuture<Boolean> ran = new CompletableFuture<>();

        assertThat(refused.run(() -> ran.complete(Callbacks.inside()))).isTrue();

        assertThat(Futures.interruptibly(ran)).isTrue();
    }

    @Test
    void run_usersExecutorRunsInTheCaller_runsElsewhere() {
        Callbacks inCaller = ClientCallbacks.on(Runnable::run);
        var ranOn = new CompletableFuture<Thread>();

        assertThat(inCaller.run(() -> ranOn.complete(Thread.currentThread()))).isTrue();

        assertThat(ranOn.orTimeout(30, TimeUnit.SECONDS).join()).isNotSameAs(Thread.currentThread());
    }

    @Test
    void run_manyThrowCheckedExceptions_thePoolGoesOn() {
        for (int i = 0; i < 2 * CallbackPool.MAX_THREADS; i++) {
            callbacks.run(() -> Sneaky.raise(new Exception("checked")));
        }
        var ran = new CompletableFuture<Void>();

        callbacks.run(() -> ran.complete(null));

        ran.orTimeout(30, TimeUnit.SECONDS).join();
    }

    @Test
    void offer_listenerThrowsCheckedException_staysRegistered() throws InterruptedException {
        CountDownLatch left = new CountDownLatch(2);
        ListenerQueue<Integer> delivery = new ListenerQueue<>(
                callbacks,
                "numbers",
                value -> {
                    left.countDown();
                    Sneaky.raise(new Exception("checked"));
                },
                Deque::addLast);

        delivery.offer(1);
        delivery.offer(2);

        assertThat(left.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void run_usersExecutorThrowsCheckedException_runsElsewhere() {
        Callbacks broken = ClientCallbacks.on(task -> Sneaky.raise(new Exception("checked")));
        var ran = new CompletableFuture<Void>();

        assertThat(broken.run(() -> ran.complete(null))).isTrue();

        ran.orTimeout(30, TimeUnit.SECONDS).join();
    }

    @Test
    void settle_poolClosed_runsElsewhere() throws InterruptedException {
        callbacks.close();
        CompletableFuture<String> users = callbacks.completeInCallback(CompletableFuture.completedFuture("done"));

        assertThat(Futures.interruptibly(users)).isEqualTo("done");
    }

    @Test
    void run_executorBreaks_runsElsewhere() {
        Callbacks callbacks = ClientCallbacks.on(task -> {
            throw new OutOfMemoryError("unable to create native thread");
        });
        var ran = new CompletableFuture<Void>();

        assertThat(callbacks.run(() -> ran.complete(null))).isTrue();

        ran.orTimeout(30, TimeUnit.SECONDS).join();
    }
}
