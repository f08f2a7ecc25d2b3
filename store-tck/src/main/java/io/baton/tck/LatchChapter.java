package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.SessionLostException;
import io.baton.SessionState;
import io.baton.StoreUnavailableException;
import io.baton.recipes.Latch;
import io.baton.recipes.LatchState;
import io.baton.spi.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Waiting until a number of processes are done. */
abstract class LatchChapter extends Chapter {

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    private static Latch latch(Coordinator baton) {
        return Latch.named(baton, "tck");
    }

    @Test
    void await_twoCoordinators_areLetGoByTheLastCount() throws Exception {
        Latch here = latch(coordinator());
        Latch there = latch(coordinator());
        Future<Boolean> early = threads.submit(() -> here.await(PATIENCE));
        assertThat(here.open(2)).isTrue();
        assertThat(there.open(2)).isFalse();
        CompletableFuture<Void> waiting = there.awaitAsync();

        assertThat(there.countDown("a")).isTrue();
        assertThat(here.countDown("a")).isFalse();
        stays(() -> !early.isDone() && !waiting.isDone());
        assertThat(here.countDown("b")).isTrue();

        assertThat(outcome(early)).isTrue();
        outcome(waiting);
        there.await();
        assertThat(there.state()).isEqualTo(new LatchState(1, 2, List.of("a", "b")));
    }

    @Test
    void countDown_ofManyThreads_countsEachOnce() throws Exception {
        List<Latch> latches = List.of(latch(coordinator()), latch(coordinator()));
        latches.get(0).open(24);
        var counted = new AtomicInteger();
        List<Future<?>> working = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Latch latch = latches.get(i % 2);
            int first = i * 4;
            working.add(threads.submit(() -> {
                for (int id = first; id < first + 8; id++) {
                    if (latch.countDown("id-" + id % 24)) {
                        counted.incrementAndGet();
                    }
                }
                return true;
            }));
        }
        for (Future<?> each : working) {
            outcome(each);
        }

        assertThat(counted).hasValue(24);
        assertThat(latches.get(1).state().counted()).hasSize(24).doesNotHaveDuplicates();
        latches.get(1).await();
    }

    @Test
    void reset_whileAWaiterIsOutOfContact_letsItGoNevertheless() throws Exception {
        Latch other = latch(steadyCoordinator());
        other.open(1);
        Coordinator baton = coordinator();
        CompletableFuture<Void> waiting = latch(baton).awaitAsync();
        assertThat(latch(baton).state().counted()).isEmpty(); // read after the waiter's read
        stays(() -> !waiting.isDone());
        store().breakContact();
        soon().until(() -> baton.state() != SessionState.CONNECTED);

        assertThat(other.countDown("a")).isTrue();
        assertThat(other.reset()).isEqualTo(2);
        stays(() -> !waiting.isDone());
        store().restoreContact();

        outcome(waiting);
        assertThat(latch(baton).await(Duration.ofMillis(100)))
                .as("a waiter of the next round")
                .isFalse();
    }

    /** An observation that is there already may show the round before. */
    @Test
    void await_afterTheOwnReset_standsInTheNextRound() throws Exception {
        Coordinator baton = coordinator();
        Latch latch = latch(baton);
        CompletableFuture<Void> observing = Latch.named(baton, "another").awaitAsync();
        for (int round = 1; round <= 10; round++) {
            latch.open(1);
            CompletableFuture<Void> before = latch.awaitAsync();
            latch.countDown("a");
            outcome(before);
            assertThat(latch.reset()).isEqualTo(round + 1);

            assertThat(latch.await(Duration.ofMillis(20))).isFalse();
        }
        assertThat(observing).isNotDone();
    }

    @Test
    void reset_beforeTheRelease_waitersWaitForTheNextOne() throws Exception {
        Latch here = latch(coordinator());
        Latch there = latch(coordinator());
        here.open(2);
        here.countDown("a");
        CompletableFuture<Void> waiting = there.awaitAsync();
        assertThat(there.state().counted()).containsExactly("a"); // read after the waiter's read

        assertThat(here.reset()).isEqualTo(2);
        here.open(1);
        stays(() -> !waiting.isDone());
        here.countDown("a");

        outcome(waiting);
    }

    @Test
    void contact_brokenAndRestored_waitersWaitOnAndChangesAreMade() throws Exception {
        Coordinator baton = coordinator();
        Latch latch = latch(baton);
        latch.open(2);
        CompletableFuture<Void> before = latch.awaitAsync();
        store().breakContact();
        soon().until(() -> baton.state() != SessionState.CONNECTED);
        CompletableFuture<Void> meanwhile = latch.awaitAsync();
        CompletableFuture<Boolean> counting = latch.countDownAsync("a");
        stays(() -> !before.isDone() && !meanwhile.isDone() && !counting.isDone());

        store().restoreContact();

        assertThat(outcome(counting)).isTrue();
        stays(() -> !before.isDone() && !meanwhile.isDone());
        assertThat(latch.countDown("b")).isTrue();
        outcome(before);
        outcome(meanwhile);
    }

    @Test
    void await_noContactForLongerThanARequestMayTake_waitsOn() throws Exception {
        Coordinator baton = coordinator(requestsOf(Duration.ofMillis(100)));
        Latch other = latch(steadyCoordinator());
        other.open(1);
        store().breakContact();
        soon().until(() -> baton.state() != SessionState.CONNECTED);
        CompletableFuture<Void> waiting = latch(baton).awaitAsync();

        assertThatThrownBy(() -> latch(baton).countDown("b")).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> latch(baton).await(Duration.ofMillis(50)))
                .isInstanceOf(StoreUnavailableException.class);
        stays(() -> !waiting.isDone());
        other.countDown("a");
        store().restoreContact();

        outcome(waiting);
    }

    private CoordinatorOptions.Builder requestsOf(Duration timeout) {
        return options("tck").requestTimeout(timeout);
    }

    @Test
    void session_expired_waitersWaitOn() throws Exception {
        Coordinator baton = coordinator();
        Latch latch = latch(baton);
        latch.open(2);
        latch.countDown("a");
        CompletableFuture<Void> waiting = latch.awaitAsync();
        Hold hold = baton.lock("tck").acquire();
        TckClient looking = client();
        Peer entry = looking.peers(LINE).get(0);

        store().expire(looking.details(entry).orElseThrow().session());
        soon().until(() -> hold.state() == HoldState.LOST);

        assertThat(latch(coordinator()).state().counted()).containsExactly("a");
        stays(() -> !waiting.isDone());
        assertThat(latch.countDown("b")).isTrue();
        outcome(waiting);
    }

    @Test
    void await_coordinatorClosedMeanwhile_fails() throws Exception {
        Coordinator closing = coordinator();
        Latch latch = latch(closing);
        CompletableFuture<Void> async = latch.awaitAsync();
        Future<Boolean> timed = threads.submit(() -> latch.await(PATIENCE));
        assertThat(latch.await(Duration.ofMillis(50))).isFalse();

        closing.close();

        assertThatThrownBy(() -> outcome(async)).isInstanceOf(SessionLostException.class);
        assertThatThrownBy(() -> outcome(timed)).isInstanceOf(SessionLostException.class);
        assertThatThrownBy(latch::await).isInstanceOf(SessionLostException.class);
    }

    @Test
    void nonsense_isRefused() throws InterruptedException {
        Latch latch = latch(coordinator());

        assertThatThrownBy(() -> latch.countDown("a"))
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("not open in round 1");
        assertThatThrownBy(() -> latch.open(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> latch.countDown("")).isInstanceOf(IllegalArgumentException.class);
        latch.open(2);
        assertThatThrownBy(() -> latch(coordinator()).open(3))
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("open for 2")
                .hasMessageContaining("opened for 3");
    }
}
