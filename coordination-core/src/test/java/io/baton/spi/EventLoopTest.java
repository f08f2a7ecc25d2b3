package io.baton.spi;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.internal.Sneaky;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventLoopTest {

    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(5);

    private final EventLoop loop = new EventLoop("loop-under-test");

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void execute_always_runsOnTheLoopsThread() throws Exception {
        assertThat(called(Thread::currentThread).getName()).isEqualTo("loop-under-test");
    }

    @Test
    void execute_fromATask_runsAfterIt() throws Exception {
        List<String> order = new ArrayList<>();
        var last = new CompletableFuture<Void>();
        loop.execute(() -> {
            loop.execute(() -> order.add("second"));
            loop.deliver(() -> {
                order.add("third");
                last.complete(null);
            });
            order.add("first");
        });
        last.get(30, SECONDS);

        assertThat(order).containsExactly("first", "second", "third");
    }

    @Test
    void deliver_loopIdle_runsHereBeforeItReturns() throws Exception {
        called(() -> true);
        List<Thread> ranOn = new ArrayList<>();
        // The loop's thread may not have settled down yet; once it has, we are the one.
        do {
            ranOn.clear();
            loop.deliver(() -> ranOn.add(Thread.currentThread()));
            called(() -> true);
        } while (!ranOn.equals(List.of(Thread.currentThread())));
    }

    @Test
    void execute_taskThrowsCheckedException_theNextRuns() throws Exception {
        loop.execute(() -> Sneaky.raise(new Exception("checked")));

        assertThat(called(() -> "next")).isEqualTo("next");
    }

    @Test
    void deliver_loopBusy_isLeftToIt() throws Exception {
        var begun = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        loop.execute(() -> {
            begun.countDown();
            await(go);
        });
        begun.await();
        var ranOn = new CompletableFuture<Thread>();
        loop.deliver(() -> ranOn.complete(Thread.currentThread()));
        assertThat(ranOn).isNotDone();
        go.countDown();

        assertThat(ranOn.get(30, SECONDS).getName()).isEqualTo("loop-under-test");
    }

    @Test
    void tasks_manyProducersOfBothKinds_runOneAtATimeEachProducersInOrder() throws Exception {
        int producers = 8;
        int each = 20_000;
        // Plain on purpose: wrong as soon as two tasks overlap or one does not see what another did.
        int[] last = new int[producers];
        int[] count = new int[2];
        boolean[] inside = new boolean[1];
        List<Thread> threads = IntStream.range(0, producers)
                .mapToObj(producer -> new Thread(() -> {
                    for (int i = 1; i <= each; i++) {
                        int number = i;
                        Runnable task = () -> {
                            boolean wrong = inside[0] || last[producer] != number - 1;
                            inside[0] = true;
                            last[producer] = number;
                            count[wrong ? 1 : 0]++;
                            inside[0] = false;
                        };
                        if (producer % 2 == 0) {
                            loop.execute(task);
                        } else {
                            loop.deliver(task);
                        }
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(called(() -> count[0])).isEqualTo(producers * each);
        assertThat(called(() -> count[1])).isZero();
    }

    @Test
    void after_whileOthersDeliver_ringsInTime() throws Exception {
        var rung = new CompletableFuture<Void>();
        loop.after(SHORT, () -> loop.after(SHORT, () -> rung.complete(null)));
        // A bounded number at a time: a queue that others fill faster than it is emptied delays timers, too.
        var underWay = new Semaphore(100);
        while (!rung.isDone()) {
            underWay.acquire();
            loop.deliver(underWay::release);
        }
    }

    @Test
    void after_armedByADeliveredTask_wakesTheLoopsThread() throws Exception {
        loop.after(LONG, () -> {});
        called(() -> true);
        for (int i = 0; i < 50; i++) {
            var rung = new CompletableFuture<Thread>();
            loop.deliver(() -> loop.after(SHORT, () -> rung.complete(Thread.currentThread())));
            // This thread runs no task while it waits; it ran the alarm if it was held up in the task before.
            assertThat(rung.get(30, SECONDS).getName())
                    .isIn("loop-under-test", Thread.currentThread().getName());
        }
    }

    @Test
    void after_several_ringInTheOrderOfTheirTimes() throws Exception {
        var order = new ArrayList<Integer>();
        var done = new CompletableFuture<Void>();
        loop.execute(() -> {
            for (int i = 5; i > 0; i--) {
                int number = i;
                loop.after(SHORT.multipliedBy(i), () -> order.add(number));
            }
            loop.after(SHORT.multipliedBy(6), () -> done.complete(null));
        });
        done.get(30, SECONDS);

        assertThat(order).containsExactly(1, 2, 3, 4, 5);
    }

    @Test
    void cancel_beforeItsTime_keepsItFromRunning() throws Exception {
        var ran = new ArrayList<String>();
        // The loop is busy meanwhile: on a busy machine the timer could be due before it is cancelled.
        var cancelled = new CompletableFuture<Void>();
        loop.execute(cancelled::join);
        Loop.Timer fromOutside = loop.after(SHORT, () -> ran.add("outside"));
        fromOutside.cancel();
        cancelled.complete(null);
        loop.execute(() -> loop.after(SHORT, () -> ran.add("inside")).cancel());
        var later = new CompletableFuture<Void>();
        loop.after(SHORT.multipliedBy(4), () -> later.complete(null));
        later.get(30, SECONDS);

        assertThat(ran).isEmpty();
    }

    @Test
    void cancel_dueTogetherWithTheOneThatCancels_doesNotRun() throws Exception {
        var ran = new ArrayList<String>();
        var done = new CompletableFuture<Void>();
        loop.execute(() -> {
            Loop.Timer[] second = new Loop.Timer[1];
            loop.after(SHORT, () -> second[0].cancel());
            second[0] = loop.after(SHORT.plusNanos(1), () -> ran.add("cancelled"));
            loop.after(SHORT.multipliedBy(2), () -> done.complete(null));
            // Both are due when they are looked at.
            long end = System.nanoTime() + SHORT.multipliedBy(3).toNanos();
            while (System.nanoTime() - end < 0) {
                Thread.onSpinWait();
            }
        });
        done.get(30, SECONDS);

        assertThat(ran).isEmpty();
    }

    @Test
    void task_throws_endsAlone() throws Exception {
        loop.execute(() -> {
            throw new IllegalStateException("broken");
        });
        loop.deliver(() -> {
            throw new AssertionError("broken");
        });

        assertThat(called(() -> "alive")).isEqualTo("alive");
    }

    @Test
    void close_tasksQueued_runsThemAndTakesNothingNew() throws Exception {
        var ran = new ArrayList<String>();
        var refused = new CompletableFuture<Throwable>();
        var begun = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        loop.execute(() -> {
            begun.countDown();
            await(go);
        });
        begun.await();
        loop.execute(() -> ran.add("queued"));
        loop.execute(() -> {
            try {
                loop.after(SHORT, () -> ran.add("timer"));
            } catch (RejectedExecutionException expected) {
                refused.complete(expected);
            }
        });
        loop.close();
        assertThatThrownBy(() -> loop.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> loop.deliver(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> loop.after(SHORT, () -> {})).isInstanceOf(RejectedExecutionException.class);
        go.countDown();

        assertThat(refused.get(30, SECONDS)).isNotNull();
        assertThat(ran).containsExactly("queued");
    }

    @Test
    void close_always_endsTheThreadAndDropsTimers() throws Exception {
        Thread own = called(Thread::currentThread);
        Loop.Timer never = loop.after(LONG, () -> {});
        loop.close();
        own.join();
        loop.close();
        never.cancel();

        assertThat(own.isAlive()).isFalse();
    }

    @Test
    void close_whileAnotherThreadRunsTasks_endsTheThread() throws Exception {
        Thread own = called(Thread::currentThread);
        loop.deliver(loop::close);
        own.join();

        assertThat(own.isAlive()).isFalse();
    }

    private <T> T called(java.util.function.Supplier<T> task) throws Exception {
        return CompletableFuture.supplyAsync(task, loop).get(30, SECONDS);
    }

    @Test
    void after_longerThanClocksCount_neverRings() throws Exception {
        Loop.Timer never = loop.after(ChronoUnit.FOREVER.getDuration(), () -> {
            throw new AssertionError("rang");
        });
        var rang = new CountDownLatch(1);
        loop.after(SHORT, rang::countDown);

        assertThat(rang.await(30, SECONDS)).isTrue();
        never.cancel();
    }

    @Test
    void after_anotherSoFarOffThatDifferencesOverflow_ringsInTime() {
        var rang = new CountDownLatch(1);
        var armed = new CountDownLatch(1);
        loop.execute(() -> {
            loop.after(Duration.ZERO, rang::countDown);
            loop.after(Duration.ofNanos(Long.MAX_VALUE), () -> {});
            armed.countDown();
        });

        await(armed);
        await(rang);
    }

    @Test
    void execute_threadInterrupted_doesNotStayInterrupted() {
        var own = new AtomicReference<Thread>();
        var seen = new CountDownLatch(1);
        loop.execute(() -> {
            own.set(Thread.currentThread());
            seen.countDown();
        });
        await(seen);

        own.get().interrupt();

        long patience = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (own.get().isInterrupted() && System.nanoTime() < patience) {
            Thread.onSpinWait();
        }
        assertThat(own.get().isInterrupted()).isFalse();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }
}
