package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.DistributedSemaphore;
import io.baton.HoldState;
import io.baton.IncompatibleOptionsException;
import io.baton.LockLostException;
import io.baton.PermitHold;
import io.baton.QueueEntry;
import io.baton.SemaphoreView;
import io.baton.Subscription;
import io.baton.spi.Claim;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Permits that contenders share, in the order of joining, whatever number each of them wants. */
abstract class SemaphoreChapter extends Chapter {

    private static final Line PERMITS = Line.of("baton.permits/tck", Line.Kind.PERMITS);

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    @Test
    void acquire_permitsThatFit_areHeldTogether() throws Exception {
        DistributedSemaphore here = coordinator().semaphore("tck", 5);
        DistributedSemaphore there = coordinator().semaphore("tck", 5);

        try (PermitHold two = here.acquire(2);
                PermitHold one = there.acquire();
                PermitHold more = there.tryAcquire(2).orElseThrow()) {
            assertThat(List.of(two, one, more)).extracting(PermitHold::state).containsOnly(HoldState.HELD);
            assertThat(List.of(two, one, more)).extracting(PermitHold::permits).containsExactly(2, 1, 2);
            assertThat(here.tryAcquire(1)).isEmpty();
            assertThat(outcome(here.tryAcquireAsync(1))).isEmpty();
            assertThat(here.tryAcquire(1, Duration.ofMillis(50))).isEmpty();
            SemaphoreView view = soonWithout(here);
            assertThat(view.size()).isEqualTo(5);
            assertThat(view.out()).isEqualTo(5);
            assertThat(view.holders())
                    .extracting(QueueEntry::claim)
                    .containsExactly(Claim.permits(2), Claim.permits(1), Claim.permits(2));
        }
        try (PermitHold all = outcome(there.tryAcquireAsync(5)).orElseThrow()) {
            assertThat(all.permits()).isEqualTo(5);
        }
        SemaphoreView empty = here.view();
        assertThat(empty.out()).isZero();
        assertThat(empty.holders()).isEmpty();
        assertThat(empty.waiting()).isEmpty();
    }

    /** Whoever has just been granted may stand in the queue for a moment longer. */
    private static SemaphoreView soonWithout(DistributedSemaphore semaphore) throws InterruptedException {
        soon().until(() -> semaphore.view().waiting().isEmpty());
        return semaphore.view();
    }

    @Test
    void acquire_manyAtTheHead_isNotOvertakenByFew() throws Exception {
        DistributedSemaphore here = coordinator().semaphore("tck", 3);
        DistributedSemaphore there = coordinator().semaphore("tck", 3);
        PermitHold two = here.acquire(2);
        CompletableFuture<PermitHold> all = there.acquireAsync(3);
        waiting(here, 1);
        CompletableFuture<PermitHold> one = here.acquireAsync(1);
        waiting(here, 2);
        assertThat(there.tryAcquire(1))
                .as("one permit is free, but others wait")
                .isEmpty();
        stays(() -> !all.isDone() && !one.isDone());

        two.close();

        PermitHold held = outcome(all);
        stays(() -> !one.isDone());
        held.close();
        outcome(one).close();
        assertThat(here.view().out()).isZero();
    }

    @Test
    void acquire_headLeaves_theNextIsServed() throws Exception {
        DistributedSemaphore here = coordinator().semaphore("tck", 2);
        try (PermitHold one = here.acquire(1)) {
            CompletableFuture<PermitHold> two = here.acquireAsync(2);
            waiting(here, 1);
            CompletableFuture<PermitHold> other =
                    coordinator().semaphore("tck", 2).acquireAsync(1);
            waiting(here, 2);

            two.cancel(true);

            outcome(other).close();
            assertThat(one.state()).isEqualTo(HoldState.HELD);
        }
        assertThat(here.view().waiting()).isEmpty();
    }

    @Test
    void acquire_ofManyThreads_neverExceedsTheSize() throws Exception {
        List<DistributedSemaphore> semaphores =
                List.of(coordinator().semaphore("tck", 4), coordinator().semaphore("tck", 4));
        var out = new AtomicInteger();
        var most = new AtomicInteger();
        List<Future<?>> working = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            DistributedSemaphore semaphore = semaphores.get(i % 2);
            int wanted = 1 + i % 3;
            working.add(threads.submit(() -> {
                for (int round = 0; round < 10; round++) {
                    try (PermitHold hold = semaphore.acquire(wanted)) {
                        most.accumulateAndGet(out.addAndGet(wanted), Math::max);
                        hold.ensureValid(Duration.ZERO);
                        out.addAndGet(-wanted);
                    }
                }
                return true;
            }));
        }
        for (Future<?> each : working) {
            outcome(each);
        }

        assertThat(most.get()).isBetween(2, 4);
        assertThat(semaphores.get(0).view().holders()).isEmpty();
    }

    @Test
    void acquire_nonsense_isRefusedWithTheReason() throws InterruptedException {
        Coordinator baton = coordinator();
        DistributedSemaphore semaphore = baton.semaphore("tck", 2);

        assertThatThrownBy(() -> baton.semaphore("tck", 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> semaphore.acquire(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> semaphore.tryAcquire(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> semaphore.acquire(3))
                .isInstanceOf(IncompatibleOptionsException.class)
                .hasMessageContaining("has 2 permits, so 3 of them cannot be acquired");
        assertThatThrownBy(() -> semaphore.tryAcquire(3)).isInstanceOf(IncompatibleOptionsException.class);
        soon().until(() -> semaphore.view().waiting().isEmpty());
        PermitHold hold = semaphore.acquire(2);
        hold.close();
        hold.close();
        assertThat(semaphore.view().out()).isZero();
    }

    @Test
    void semaphore_anotherFirstSize_isRefusedWithBoth() throws InterruptedException {
        try (PermitHold hold = coordinator().semaphore("tck", 5).acquire()) {
            Coordinator other = coordinator();

            assertThatThrownBy(() -> other.semaphore("tck", 6).acquire())
                    .isInstanceOf(IncompatibleOptionsException.class)
                    .hasMessageContaining("set up with 5 permits")
                    .hasMessageContaining("asks for one of 6");
            assertThat(other.semaphore("tck", 5).resize(5, 6)).isTrue();
            other.semaphore("tck", 6).acquire().close();
            other.semaphore("tck", 5).acquire().close();
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void resize_grown_servesThoseThatWait() throws Exception {
        DistributedSemaphore here = coordinator().semaphore("tck", 1);
        DistributedSemaphore there = coordinator().semaphore("tck", 1);
        List<Integer> sizes = new CopyOnWriteArrayList<>();
        Subscription told = there.onSize(sizes::add);
        try (PermitHold one = here.acquire()) {
            CompletableFuture<PermitHold> second = there.acquireAsync(1);
            CompletableFuture<PermitHold> third = here.acquireAsync(1);
            waiting(here, 2);
            assertThat(here.resize(2, 3)).as("the size is another one").isFalse();

            assertThat(here.resize(1, 3)).isTrue();

            outcome(second).close();
            outcome(third).close();
            soon().until(() -> sizes.contains(3));
            assertThat(sizes.get(0)).isIn(1, 3);
            assertThat(one.state()).isEqualTo(HoldState.HELD);
        }
        told.close();
        assertThatThrownBy(() -> here.resize(3, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void semaphore_aSizeThatItHasHad_isServed() throws InterruptedException {
        DistributedSemaphore first = coordinator().semaphore("tck", 5);
        first.acquire().close();
        assertThat(first.resize(5, 6)).isTrue();
        assertThat(first.resize(6, 7)).isTrue();

        for (int declares : List.of(5, 6, 7)) {
            coordinator().semaphore("tck", declares).acquire().close();
        }
        assertThatThrownBy(() -> coordinator().semaphore("tck", 8).acquire())
                .isInstanceOf(IncompatibleOptionsException.class)
                .hasMessageContaining("has 7 now");
    }

    @Test
    void resize_shrunk_takesNothingAwayAndGrantsNothingUntilItFits() throws Exception {
        DistributedSemaphore here = coordinator().semaphore("tck", 3);
        PermitHold one = here.acquire();
        PermitHold two = here.acquire(2);

        assertThat(here.resize(3, 2)).isTrue();

        CompletableFuture<PermitHold> waits = coordinator().semaphore("tck", 3).acquireAsync(1);
        waiting(here, 1);
        one.close();
        stays(() -> !waits.isDone() && two.state() == HoldState.HELD);
        two.close();
        outcome(waits).close();
    }

    @Test
    void resize_belowWhatIsWantedLater_failsThatOneAtOnce() throws Exception {
        DistributedSemaphore here = coordinator().semaphore("tck", 3);
        DistributedSemaphore there = coordinator().semaphore("tck", 3);
        here.acquire(3).close();
        there.acquire(3).close();
        assertThat(here.resize(3, 2)).isTrue();
        soon().until(() -> there.view().size() == 2);
        there.acquire(2).close(); // sees the size, too
        try (PermitHold two = here.acquire(2)) {
            CompletableFuture<PermitHold> next = here.acquireAsync(1);
            waiting(here, 1);

            assertThatThrownBy(() -> outcome(here.acquireAsync(3))).hasMessageContaining("has 2 permits");
            assertThatThrownBy(() -> outcome(there.acquireAsync(3))).hasMessageContaining("has 2 permits");

            assertThat(two.state()).isEqualTo(HoldState.HELD);
            assertThat(next).isNotDone();
            next.cancel(true);
        }
    }

    @Test
    void resize_belowWhatAWaiterWants_failsThatOne() throws Exception {
        DistributedSemaphore here = coordinator().semaphore("tck", 3);
        try (PermitHold one = here.acquire()) {
            CompletableFuture<PermitHold> three = here.acquireAsync(3);
            waiting(here, 1);
            CompletableFuture<PermitHold> next = here.acquireAsync(1);
            waiting(here, 2);

            assertThat(here.resize(3, 2)).isTrue();

            assertThatThrownBy(() -> outcome(three)).hasMessageContaining("has 2 permits");
            outcome(next).close();
            assertThat(one.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void session_ofAHolderEnds_itsPermitsComeBack() throws Exception {
        Coordinator dying = coordinator();
        PermitHold held = dying.semaphore("tck", 2).acquire(2);
        DistributedSemaphore here = coordinator().semaphore("tck", 2);
        CompletableFuture<PermitHold> waits = here.acquireAsync(1);
        waiting(here, 1);

        dying.close();

        outcome(waits).close();
        assertThat(held.state()).isNotEqualTo(HoldState.HELD);
    }

    @Test
    void removedByHand_permits_areLostAndComeBack() throws Exception {
        DistributedSemaphore here = coordinator().semaphore("tck", 1);
        PermitHold held = here.acquire();
        CompletableFuture<PermitHold> waits = coordinator().semaphore("tck", 1).acquireAsync(1);
        waiting(here, 1);
        TckClient looking = client();

        store().removeEntry(looking.ask(session -> session.peers(PERMITS)).get(0));

        soon().until(() -> held.state() == HoldState.LOST);
        outcome(waits).close();
    }

    @Test
    void removedByHand_headOfTheQueue_losesItsTurnAndNoPermitIsCountedTwice() throws Exception {
        DistributedSemaphore here = coordinator().semaphore("tck", 2);
        try (PermitHold one = here.acquire()) {
            CompletableFuture<PermitHold> head = here.acquireAsync(2);
            waiting(here, 1);
            CompletableFuture<PermitHold> next =
                    coordinator().semaphore("tck", 2).acquireAsync(1);
            waiting(here, 2);
            TckClient looking = client();

            store().removeEntry(looking.peers("semaphores/tck").get(0));

            assertThatThrownBy(() -> outcome(head)).isInstanceOf(CoordinationException.class);
            outcome(next).close();
            assertThat(one.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void removedByHand_waiterAmongThePermits_failsAndLeavesBothLines() throws Exception {
        DistributedSemaphore here = coordinator().semaphore("tck", 2);
        TckClient looking = client();
        try (PermitHold one = here.acquire()) {
            CompletableFuture<PermitHold> head = here.acquireAsync(2);
            soon().until(() -> permits(looking).size() == 2);
            CompletableFuture<PermitHold> next =
                    coordinator().semaphore("tck", 2).acquireAsync(1);
            waiting(here, 2);

            store().removeEntry(permits(looking).get(1));

            assertThatThrownBy(() -> outcome(head)).isInstanceOf(LockLostException.class);
            outcome(next).close();
            assertThat(one.state()).isEqualTo(HoldState.HELD);
        }
        nobodyStands(here, looking);
    }

    @Test
    void acquire_interrupted_leavesBothLinesAndTheNextIsServed() throws Exception {
        DistributedSemaphore here = coordinator().semaphore("tck", 2);
        TckClient looking = client();
        try (PermitHold one = here.acquire()) {
            var thrown = new CompletableFuture<Throwable>();
            Future<?> head = threads.submit(() -> thrown.complete(catchThrowable(() -> here.acquire(2))));
            soon().until(() -> permits(looking).size() == 2);
            CompletableFuture<PermitHold> next =
                    coordinator().semaphore("tck", 2).acquireAsync(1);
            waiting(here, 2);
            stays(() -> !next.isDone());

            head.cancel(true);

            assertThat(outcome(thrown)).isInstanceOf(InterruptedException.class);
            outcome(next).close();
            assertThat(one.state()).isEqualTo(HoldState.HELD);
        }
        nobodyStands(here, looking);
    }

    /** On etcd the one that waits uses the name again that the entry of the holder had in the queue. */
    @Test
    void view_holderAsksForMore_showsItAsHolderAndAsWaiting() throws Exception {
        DistributedSemaphore here = coordinator().semaphore("tck", 2);
        try (PermitHold held = here.acquire(2)) {
            soonWithout(here);
            CompletableFuture<PermitHold> ahead =
                    coordinator().semaphore("tck", 2).acquireAsync(2);
            waiting(here, 1);
            CompletableFuture<PermitHold> more = here.acquireAsync(1);
            waiting(here, 2);

            SemaphoreView view = here.view();

            assertThat(view.out()).isEqualTo(2);
            assertThat(view.holders()).extracting(QueueEntry::token).containsExactly(held.token());
            assertThat(view.waiting())
                    .extracting(QueueEntry::claim)
                    .containsExactly(Claim.permits(2), Claim.permits(1));
            ahead.cancel(true);
            more.cancel(true);
        }
    }

    /** On PostgreSQL each of the two lines counts its own tokens, from the second on in which it was made. */
    @Test
    void evict_waiterWithTheTokenOfAHold_failsAndTheHoldStays() throws Exception {
        makeBothLines();
        DistributedSemaphore here = coordinator().semaphore("tck", 1);
        PermitHold held = here.acquire();
        List<CompletableFuture<PermitHold>> behind = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            behind.add(coordinator().semaphore("tck", 1).acquireAsync(1));
            waiting(here, i);
        }
        QueueEntry fourth = here.view().waiting().get(3);
        for (int i = 0; i < 3; i++) {
            held.close();
            held = outcome(behind.get(i));
        }
        PermitHold third = held;

        assertThat(here.evict(fourth, "not the third")).isTrue();

        assertThatThrownBy(() -> outcome(behind.get(3))).isInstanceOf(LockLostException.class);
        stays(() -> third.state() == HoldState.HELD && !behind.get(4).isDone());
        third.close();
        outcome(behind.get(4)).close();
    }

    private void makeBothLines() throws InterruptedException {
        TckClient client = client();
        var permit = new TckContender(client, clear -> {});
        client.run(() -> permit.placed(
                client.call(() -> client.session().join(PERMITS, Claim.permits(1), new byte[0], permit))));
        TckContender queued = client.join("semaphores/tck");
        queued.awaitClear();
        permit.awaitClear();
        queued.leave();
        permit.leave();
    }

    private static List<Peer> permits(TckClient looking) throws InterruptedException {
        return looking.ask(session -> session.peers(PERMITS));
    }

    /** Looks at both lines: the view counts whoever stands in both once. */
    private static void nobodyStands(DistributedSemaphore semaphore, TckClient looking) throws InterruptedException {
        soon().until(() ->
                permits(looking).isEmpty() && looking.peers("semaphores/tck").isEmpty());
        SemaphoreView view = semaphore.view();
        assertThat(view.out()).isZero();
        assertThat(view.holders()).isEmpty();
        assertThat(view.waiting()).isEmpty();
    }

    @Test
    void observePeers_comingAndGoing_showsTheLineEachTime() throws Exception {
        TckClient client = client();
        List<List<Integer>> seen = new CopyOnWriteArrayList<>();
        Runnable stop = client.onLoop(() -> client.session()
                .observePeers(
                        PERMITS,
                        peers -> seen.add(peers.stream()
                                .map(peer -> peer.claim().permits())
                                .toList())));
        soon().until(() -> seen.contains(List.of()));
        DistributedSemaphore semaphore = coordinator().semaphore("tck", 9);

        PermitHold three = semaphore.acquire(3);
        PermitHold four = semaphore.acquire(4);
        soon().until(() -> seen.contains(List.of(3, 4)));
        three.close();
        soon().until(() -> seen.contains(List.of(4)));
        store().breakContact();
        store().restoreContact();
        four.close();
        soon().until(() -> seen.get(seen.size() - 1).isEmpty());
        client.run(stop);
        int before = seen.size();
        coordinator().semaphore("tck", 9).acquire().close();
        assertThat(seen).hasSize(before);
    }

    private static void waiting(DistributedSemaphore semaphore, int number) {
        soon().until(() -> semaphore.view().waiting().size() == number);
    }
}
