package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.LockLostException;
import io.baton.MultiHold;
import io.baton.MultiLock;
import io.baton.Op;
import io.baton.RecordKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several locks, all or none, in one order. */
abstract class MultiLockChapter extends Chapter {

    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** Changed under all locks only; unprotected on purpose. */
    private int counter;

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    @Test
    void acquire_allFree_holdsAllAndGuardsWithAll() throws InterruptedException {
        Coordinator baton = coordinator();
        MultiLock lock = baton.multiLock(List.of("b", "a", "c"));
        assertThat(lock.names()).containsExactly("a", "b", "c");

        MultiHold all = lock.acquire();

        assertThat(all.holds().keySet()).containsExactly("a", "b", "c");
        assertThat(all.state()).isEqualTo(HoldState.HELD);
        assertThat(all.remaining()).isPositive();
        all.ensureValid(Duration.ZERO);
        assertThat(baton.lock("b").tryAcquire()).isEmpty();
        assertThat(baton.transact(all.guards(), List.of(Op.put(new RecordKey("tck", "x"), "moved"))))
                .isTrue();
        all.close();
        all.close();
        assertThat(all.state()).isEqualTo(HoldState.RELEASED);
        for (String name : lock.names()) {
            assertThat(baton.lock(name).queue()).isEmpty();
        }
    }

    @Test
    void acquire_oneIsTaken_holdsNoneInTheEnd() throws Exception {
        Coordinator baton = coordinator();
        MultiLock lock = baton.multiLock(List.of("a", "b", "c"));
        try (Hold taken = coordinator().lock("b").acquire()) {
            assertThat(lock.tryAcquire(Duration.ZERO)).isEmpty();
            assertThat(lock.tryAcquire(Duration.ofMillis(300))).isEmpty();
            soon().until(() ->
                    baton.lock("a").queue().isEmpty() && baton.lock("c").queue().isEmpty());

            CompletableFuture<MultiHold> cancelled = lock.acquireAsync();
            soon().until(() -> baton.lock("b").queue().size() == 2);
            cancelled.cancel(true);
            soon().until(() -> baton.lock("a").queue().isEmpty());

            Future<MultiHold> interrupted = threads.submit(lock::acquire);
            soon().until(() -> baton.lock("b").queue().size() == 2);
            interrupted.cancel(true);
            soon().until(() ->
                    baton.lock("a").queue().isEmpty() && baton.lock("b").queue().size() == 1);
            assertThat(taken.state()).isEqualTo(HoldState.HELD);
        }
        MultiHold all = outcome(lock.acquireAsync());
        outcome(all.releaseAsync());
        assertThat(all.state()).isEqualTo(HoldState.RELEASED);
    }

    @Test
    void acquireAsync_completedByItsCaller_givesAllUp() throws Exception {
        Coordinator baton = coordinator();
        try (Hold taken = coordinator().lock("b").acquire()) {
            CompletableFuture<MultiHold> waiting =
                    baton.multiLock(List.of("a", "b")).acquireAsync();
            soon().until(() -> baton.lock("b").queue().size() == 2);

            waiting.complete(null);

            soon().until(() ->
                    baton.lock("a").queue().isEmpty() && baton.lock("b").queue().size() == 1);
            assertThat(taken.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void acquire_inAnyOrderOfNames_neverWaitsInACircle() throws Exception {
        List<String> names = List.of("a", "b", "c", "d");
        List<Future<?>> working = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Coordinator baton = i % 3 == 0 ? coordinator() : steady(i);
            var shuffled = new ArrayList<>(names);
            Collections.rotate(shuffled, i);
            working.add(threads.submit(() -> {
                for (int round = 0; round < 10; round++) {
                    try (MultiHold all = baton.multiLock(shuffled).acquire()) {
                        int seen = counter;
                        all.ensureValid(Duration.ZERO);
                        counter = seen + 1;
                    }
                }
                return true;
            }));
        }
        for (Future<?> each : working) {
            outcome(each);
        }

        assertThat(counter).isEqualTo(60);
    }

    private Coordinator steady(int number) throws InterruptedException {
        return number % 2 == 0 ? coordinator() : rejoiningCoordinator();
    }

    @Test
    void lost_oneOfThem_isToldOnceWithThatOne() throws Exception {
        Coordinator baton = coordinator();
        MultiHold all = baton.multiLock(List.of("a", "b")).acquire();
        List<String> lost = new CopyOnWriteArrayList<>();
        all.onLost(hold -> lost.add(hold.name()));
        TckClient looking = client();

        store().removeEntry(looking.peers("locks/b").get(0));

        soon().until(() -> all.state() == HoldState.LOST);
        soon().until(() -> lost.equals(List.of("b")));
        assertThat(all.remaining()).isZero();
        assertThatThrownBy(() -> all.ensureValid(Duration.ZERO))
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("lock 'b'");
        assertThat(baton.transact(all.guards(), List.of(Op.put(new RecordKey("tck", "x"), "late"))))
                .isFalse();
        all.close();
        assertThat(baton.lock("a").queue()).isEmpty();
        assertThat(lost).containsExactly("b");
    }

    @Test
    void multiLock_noNameOrOneTwice_isRefused() throws InterruptedException {
        Coordinator baton = coordinator();

        assertThatThrownBy(() -> baton.multiLock(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> baton.multiLock(List.of("a", "b", "a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("each of them once");
    }
}
