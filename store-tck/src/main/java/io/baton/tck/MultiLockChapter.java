package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.LockLostException;
import io.baton.MultiHold;
import io.baton.MultiLock;
import io.baton.Op;
import io.baton.QueueEntry;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.SessionState;
import io.baton.Telemetry;
import io.baton.spi.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
    void acquire_waiterForOneIsEvicted_failsAndHoldsNone() throws Exception {
        Coordinator baton = coordinator();
        DistributedLock last = coordinator().lock("z");
        try (Hold taken = last.acquire()) {
            Future<MultiHold> blocking = threads.submit(baton.multiLock(List.of("a", "z"))::acquire);
            soon().until(() -> last.queue().size() == 2);
            CompletableFuture<MultiHold> async =
                    baton.multiLock(List.of("b", "z")).acquireAsync();
            soon().until(() -> last.queue().size() == 3);
            assertThat(standing(baton, "a", "b", "z")).containsExactly(1, 1, 3);

            for (QueueEntry waiter : last.queue().subList(1, 3)) {
                assertThat(last.evict(waiter, "not now")).isTrue();
            }

            // It may take the slow audit of all lines to find it.
            soon().atMost(Duration.ofSeconds(60)).until(() -> blocking.isDone() && async.isDone());
            assertThatThrownBy(() -> outcome(blocking)).isInstanceOf(LockLostException.class);
            assertThatThrownBy(() -> outcome(async)).isInstanceOf(LockLostException.class);
            soon().until(() -> standing(baton, "a", "b", "z").equals(List.of(0, 0, 1)));
            assertThat(taken.state()).isEqualTo(HoldState.HELD);
        }
        assertThat(standing(baton, "a", "b", "z")).containsOnly(0);
    }

    @Test
    void acquire_firstIsLostMeanwhile_failsAndHoldsNone() throws Exception {
        List<String> lost = new CopyOnWriteArrayList<>();
        Coordinator baton = coordinator(new Telemetry() {
            @Override
            public void lost(Lost event) {
                lost.add(event.lock());
            }
        });
        Coordinator other = coordinator();
        Hold taken = other.lock("z").acquire();
        Future<MultiHold> blocking = threads.submit(baton.multiLock(List.of("a", "z"))::acquire);
        CompletableFuture<MultiHold> async = baton.multiLock(List.of("b", "z")).acquireAsync();
        soon().until(() -> standing(other, "a", "b", "z").equals(List.of(1, 1, 3)));
        for (String name : List.of("a", "b")) {
            DistributedLock first = other.lock(name);
            assertThat(first.evict(first.queue().get(0), "stuck")).isTrue();
        }
        soon().until(() -> lost.containsAll(List.of("a", "b")));
        stays(() -> !blocking.isDone() && !async.isDone());

        taken.close();

        for (Future<MultiHold> each : List.of(blocking, async)) {
            assertThatThrownBy(() -> outcome(each))
                    .isInstanceOf(LockLostException.class)
                    .hasMessageContaining("was lost while the others were acquired");
        }
        soon().until(() -> standing(other, "a", "b", "z").equals(List.of(0, 0, 0)));
    }

    @Test
    void contact_brokenAndRestored_allStayHeldAndTheWaiterIsGranted() throws Exception {
        Coordinator baton = coordinator();
        MultiHold all = baton.multiLock(List.of("a", "b")).acquire();
        List<String> lost = new CopyOnWriteArrayList<>();
        all.onLost(hold -> lost.add(hold.name()));
        CompletableFuture<MultiHold> waiter =
                coordinator().multiLock(List.of("b", "c")).acquireAsync();
        soon().until(() -> baton.lock("b").queue().size() == 2);

        store().breakContact();
        soon().until(() -> all.state() == HoldState.JEOPARDY);
        store().restoreContact();

        soon().until(() -> all.state() == HoldState.HELD);
        assertThat(all.holds().values()).extracting(Hold::state).containsOnly(HoldState.HELD);
        stays(() -> !waiter.isDone());
        assertThat(lost).isEmpty();
        all.close();
        MultiHold next = outcome(waiter);
        assertThat(next.holds().keySet()).containsExactly("b", "c");
        assertThat(next.state()).isEqualTo(HoldState.HELD);
        next.close();
        assertThat(standing(baton, "a", "b", "c")).containsOnly(0);
    }

    @Test
    void session_expiresWhileItHolds_isLostAndLeavesNothing() throws Exception {
        Coordinator baton = coordinator();
        MultiHold all = baton.multiLock(List.of("a", "b")).acquire();
        List<String> lost = new CopyOnWriteArrayList<>();
        all.onLost(hold -> lost.add(hold.name()));
        Coordinator other = coordinator();
        TckClient looking = client();
        Peer first = looking.peers("locks/a").get(0);

        store().expire(looking.details(first).orElseThrow().session());

        soon().until(() -> all.state() == HoldState.LOST);
        soon().until(() -> standing(other, "a", "b").equals(List.of(0, 0)));
        soon().until(() -> all.holds().values().stream().allMatch(hold -> hold.state() == HoldState.LOST));
        soon().until(() -> !lost.isEmpty());
        try (MultiHold next = other.multiLock(List.of("a", "b")).acquire()) {
            all.close();

            assertThat(next.state()).isEqualTo(HoldState.HELD);
            assertThat(standing(other, "a", "b")).containsOnly(1);
            soon().until(() -> baton.state() == SessionState.CONNECTED);
            assertThat(baton.transact(all.guards(), List.of(Op.put(new RecordKey("tck", "x"), "late"))))
                    .isFalse();
        }
        stays(() -> lost.size() == 1);
    }

    @Test
    void session_expiresWhileItWaits_isGrantedOnlyIfItHeldNoneAndJoinsAgain() throws Exception {
        Coordinator other = coordinator();
        Coordinator joinsAgain = rejoiningCoordinator();
        Hold taken = other.lock("b").acquire();
        CompletableFuture<MultiHold> heldA =
                joinsAgain.multiLock(List.of("a", "b")).acquireAsync();
        CompletableFuture<MultiHold> heldNone =
                joinsAgain.multiLock(List.of("b", "c")).acquireAsync();
        CompletableFuture<MultiHold> givesUp =
                coordinator().multiLock(List.of("b", "d")).acquireAsync();
        soon().until(() -> standing(other, "a", "b").equals(List.of(1, 4)));
        TckClient looking = client();

        for (String session : sessionsWaiting(looking, "locks/b")) {
            store().expire(session);
        }

        assertThatThrownBy(() -> outcome(givesUp)).isInstanceOf(SessionLostException.class);
        soon().until(() -> standing(other, "a", "b", "c", "d").equals(List.of(0, 3, 0, 0)));
        taken.close();
        MultiHold all = outcome(heldNone);
        assertThat(all.state()).isEqualTo(HoldState.HELD);
        all.close();
        assertThatThrownBy(() -> outcome(heldA))
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("was lost while the others were acquired");
        soon().until(() -> standing(other, "a", "b", "c", "d").equals(List.of(0, 0, 0, 0)));
    }

    /** The sessions of those who wait in this line. */
    private static Set<String> sessionsWaiting(TckClient looking, String line) throws Exception {
        List<Peer> peers = looking.peers(line);
        Set<String> sessions = new HashSet<>();
        for (Peer waiter : peers.subList(1, peers.size())) {
            sessions.add(looking.details(waiter).orElseThrow().session());
        }
        return sessions;
    }

    /** How many stand in the lines of these locks. */
    private static List<Integer> standing(Coordinator baton, String... names) throws InterruptedException {
        List<Integer> numbers = new ArrayList<>();
        for (String name : names) {
            numbers.add(baton.lock(name).queue().size());
        }
        return numbers;
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
