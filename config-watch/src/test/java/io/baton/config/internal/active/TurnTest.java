package io.baton.config.internal.active;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who may put another state in place, with real threads. */
@Timeout(60)
class TurnTest {

    private static final Duration LONG = Duration.ofSeconds(50);

    private final AtomicInteger told = new AtomicInteger();
    private final Turn turn = new Turn(told::incrementAndGet);
    private final CountDownLatch end = new CountDownLatch(1);

    private void untilTheEnd() {
        try {
            assertThat(end.await(50, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    /** A thread that waits for it, and then has it until the end. */
    private Thread waiting(List<Boolean> done) {
        Thread waiting = new Thread(() -> done.add(turn.run(this::untilTheEnd, LONG)));
        waiting.start();
        await().atMost(LONG).until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
        return waiting;
    }

    @Test
    void tryTake_free_isTakenUntilItIsGivenBack() {
        assertThat(turn.isMine()).isFalse();
        assertThat(turn.tryTake()).isTrue();
        assertThat(turn.isMine()).isTrue();
        assertThat(turn.tryTake()).isFalse();

        turn.giveBack();

        assertThat(turn.isMine()).isFalse();
        assertThat(turn.tryTake()).isTrue();
        assertThat(turn.tryTake()).isFalse();
        assertThat(told).hasValue(0);
    }

    @Test
    void isMine_anotherThread_isFalse() {
        assertThat(turn.tryTake()).isTrue();

        assertThat(CompletableFuture.supplyAsync(turn::isMine).join()).isFalse();
    }

    @Test
    void tryTake_anotherWaits_isRefusedAndTheOtherHasIt() throws InterruptedException {
        assertThat(turn.tryTake()).isTrue();
        List<Boolean> done = new ArrayList<>();
        Thread waiting = waiting(done);

        turn.giveBack();

        assertThat(turn.tryTake()).isFalse();
        end.countDown();
        waiting.join();
        assertThat(done).containsExactly(true);
        assertThat(told).hasValue(1);
        assertThat(turn.tryTake()).isTrue();
    }

    @Test
    void run_free_isDoneInTurn() {
        List<Boolean> within = new ArrayList<>();

        boolean done = turn.run(() -> within.addAll(List.of(turn.isMine(), turn.tryTake())), Duration.ZERO);

        assertThat(done).isTrue();
        assertThat(within).containsExactly(true, false);
        assertThat(turn.isMine()).isFalse();
        assertThat(told).hasValue(1);
        assertThat(turn.tryTake()).isTrue();
    }

    @Test
    void run_takenForTooLong_isNotDone() {
        assertThat(turn.tryTake()).isTrue();
        AtomicInteger ran = new AtomicInteger();

        assertThat(turn.run(ran::incrementAndGet, Duration.ofMillis(1))).isFalse();

        assertThat(ran).hasValue(0);
        assertThat(told).hasValue(1);
        assertThat(turn.isMine()).isTrue();
        assertThat(turn.tryTake()).isFalse();
    }

    @Test
    void run_interruptedWhileItWaits_isNotDoneAndTheInterruptIsKept() {
        assertThat(turn.tryTake()).isTrue();
        AtomicInteger ran = new AtomicInteger();
        Thread.currentThread().interrupt();

        boolean done = turn.run(ran::incrementAndGet, LONG);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(done).isFalse();
        assertThat(ran).hasValue(0);
        assertThat(told).hasValue(1);
        assertThat(turn.isMine()).isTrue();
    }

    @Test
    void run_actionThrows_isGivenBack() {
        Runnable broken = () -> {
            throw new IllegalStateException("broken");
        };

        assertThatThrownBy(() -> turn.run(broken, LONG)).hasMessage("broken");

        assertThat(turn.isMine()).isFalse();
        assertThat(told).hasValue(1);
        assertThat(turn.tryTake()).isTrue();
    }

    @Test
    void run_patienceLongerThanClocksCount_waitsForIt() throws InterruptedException {
        assertThat(turn.tryTake()).isTrue();
        List<Boolean> done = new ArrayList<>();
        Thread waiting = new Thread(() -> done.add(turn.run(told::incrementAndGet, ChronoUnit.FOREVER.getDuration())));
        waiting.start();
        await().atMost(LONG).until(() -> waiting.getState() == Thread.State.TIMED_WAITING);

        turn.giveBack();

        waiting.join();
        assertThat(done).containsExactly(true);
    }
}
