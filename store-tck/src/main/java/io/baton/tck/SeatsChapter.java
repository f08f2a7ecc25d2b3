package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.DistributedSemaphore;
import io.baton.Guard;
import io.baton.HoldState;
import io.baton.Op;
import io.baton.QueueEntry;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.SessionState;
import io.baton.recipes.Seat;
import io.baton.recipes.Seats;
import io.baton.spi.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Numbered places. */
abstract class SeatsChapter extends Chapter {

    private static final Op WRITE = Op.put(new RecordKey("tck", "x"), "written");

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    private static Seats seats(Coordinator baton, int number) {
        return Seats.named(baton, "tck", number);
    }

    private static DistributedSemaphore permits(Coordinator baton, int number) {
        return baton.semaphore("tck", number);
    }

    private static void waiting(Coordinator baton, int seats, int number) {
        soon().until(() -> permits(baton, seats).view().waiting().size() == number);
    }

    @Test
    void take_byTwoCoordinators_hasEachNumberOnceAndTheNextWaits() throws Exception {
        Coordinator baton = coordinator();
        Seats here = seats(baton, 3);
        Seats there = seats(coordinator(), 3);
        List<Seat> taken = List.of(here.take(), there.take(), outcome(here.takeAsync()));
        assertThat(taken).extracting(Seat::number).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(there.tryTake()).isEmpty();
        assertThat(there.take(Duration.ofMillis(100))).isEmpty();
        waiting(baton, 3, 0);
        CompletableFuture<Seat> async = there.takeAsync();
        waiting(baton, 3, 1);
        Future<Seat> blocking = threads.submit(() -> here.take());
        waiting(baton, 3, 2);
        stays(() -> !async.isDone() && !blocking.isDone());

        taken.get(0).close();
        Seat next = outcome(async);
        assertThat(next.number()).isEqualTo(taken.get(0).number());
        assertThat(next.token()).isGreaterThan(taken.get(0).token());
        stays(() -> !blocking.isDone());
        outcome(taken.get(1).releaseAsync());
        assertThat(outcome(blocking).number()).isEqualTo(taken.get(1).number());
    }

    @Test
    void take_ofManyThreads_noSeatIsHadTwice() throws Exception {
        List<Seats> all = List.of(seats(coordinator(), 3), seats(coordinator(), 3), seats(coordinator(), 3));
        var owners = new AtomicIntegerArray(3);
        List<String> breaches = new CopyOnWriteArrayList<>();
        List<Future<?>> working = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Seats seats = all.get(i % 3);
            working.add(threads.submit(() -> {
                for (int round = 0; round < 8; round++) {
                    try (Seat seat = seats.take()) {
                        if (owners.incrementAndGet(seat.number()) != 1) {
                            breaches.add("seat " + seat.number() + " is had twice");
                        }
                        seat.ensureValid(Duration.ZERO);
                        owners.decrementAndGet(seat.number());
                    }
                }
                return true;
            }));
        }
        for (Future<?> each : working) {
            outcome(each);
        }

        assertThat(breaches).isEmpty();
        Coordinator baton = coordinator();
        assertThat(permits(baton, 3).view().out()).isZero();
        for (int number = 0; number < 3; number++) {
            assertThat(baton.lock("tck/" + number).queue()).isEmpty();
        }
    }

    @Test
    void tryTake_aNumber_takesThatOneOrNone() throws InterruptedException {
        Seats here = seats(coordinator(), 4);
        Seats there = seats(coordinator(), 4);

        try (Seat seat = here.tryTake(2).orElseThrow()) {
            assertThat(seat.number()).isEqualTo(2);
            assertThat(there.tryTake(2)).isEmpty();
            there.tryTake(3).orElseThrow().close();
        }
        there.tryTake(2).orElseThrow().close();
    }

    @Test
    void tryTakeAsync_freeOrTaken_takesOneOrNone() throws Exception {
        Coordinator baton = coordinator();
        Seats here = seats(baton, 2);
        Seats there = seats(coordinator(), 2);

        Seat second = outcome(here.tryTakeAsync(1)).orElseThrow();
        assertThat(second.number()).isEqualTo(1);
        assertThat(outcome(there.tryTakeAsync(1))).isEmpty();
        Seat first = outcome(there.tryTakeAsync()).orElseThrow();
        assertThat(first.number()).isZero();
        assertThat(outcome(here.tryTakeAsync())).isEmpty();
        assertThatThrownBy(() -> here.tryTakeAsync(2)).isInstanceOf(IllegalArgumentException.class);

        first.close();
        CompletableFuture<Optional<Seat>> unwanted = here.tryTakeAsync();
        if (!unwanted.cancel(true)) {
            outcome(unwanted).ifPresent(Seat::close); // it was taken before
        }
        soon().until(() -> permits(baton, 2).view().out() == 1);
        outcome(there.tryTakeAsync(0)).orElseThrow().close();
        second.close();
    }

    @Test
    void takeAsync_timedOut_leavesNothing() throws Exception {
        Coordinator baton = coordinator();
        Seats seats = seats(baton, 1);
        try (Seat seat = seats.take()) {
            CompletableFuture<Seat> late = seats.takeAsync();
            waiting(baton, 1, 1);

            assertThatThrownBy(() -> outcome(late.orTimeout(1, TimeUnit.MILLISECONDS)))
                    .hasRootCauseInstanceOf(TimeoutException.class);

            waiting(baton, 1, 0);
            assertThat(seat.remaining()).isPositive();
        }
        seats.tryTake().orElseThrow().close();
    }

    @Test
    void takeAsync_cancelled_leavesNothingAndTheNextIsServed() throws Exception {
        Coordinator baton = coordinator();
        Seats seats = seats(baton, 1);
        Seat seat = seats.take();
        CompletableFuture<Seat> cancelled = seats.takeAsync();
        waiting(baton, 1, 1);
        CompletableFuture<Seat> next = seats(coordinator(), 1).takeAsync();
        waiting(baton, 1, 2);

        cancelled.cancel(true);
        waiting(baton, 1, 1);
        seat.close();

        outcome(next).close();
        assertThat(permits(baton, 1).view().out()).isZero();
        assertThat(baton.lock("tck/0").queue()).isEmpty();
    }

    @Test
    void contact_brokenAndRestored_seatsStayAndTheWaiterWaitsOn() throws Exception {
        Coordinator baton = coordinator();
        Seat seat = seats(baton, 1).take();
        List<String> lost = new CopyOnWriteArrayList<>();
        seat.onLost(() -> lost.add("lost"));
        CompletableFuture<Seat> waiting = seats(coordinator(), 1).takeAsync();
        waiting(baton, 1, 1);

        store().breakContact();
        soon().until(() -> seat.state() == HoldState.JEOPARDY);
        store().restoreContact();

        soon().until(() -> seat.state() == HoldState.HELD);
        stays(() -> !waiting.isDone());
        assertThat(lost).isEmpty();
        seat.close();
        assertThat(outcome(waiting).number()).isZero();
    }

    @Test
    void session_expired_isLostAndTheSeatIsTakenAgain() throws Exception {
        Coordinator baton = coordinator();
        Seats seats = seats(baton, 1);
        Seat seat = seats.take();
        List<String> lost = new CopyOnWriteArrayList<>();
        seat.onLost(() -> lost.add("lost"));
        Coordinator other = coordinator();
        CompletableFuture<Seat> waiting = seats(other, 1).takeAsync();
        waiting(other, 1, 1);
        TckClient looking = client();
        Peer entry = looking.peers("locks/tck%2F0").get(0);

        store().expire(looking.details(entry).orElseThrow().session());

        soon().until(() -> seat.state() == HoldState.LOST);
        assertThat(seat.remaining()).isZero();
        Seat next = outcome(waiting);
        assertThat(next.token()).isGreaterThan(seat.token());
        soon().until(() -> lost.equals(List.of("lost")));
        soon().until(() -> baton.state() == SessionState.CONNECTED);
        assertThat(baton.transact(List.of(Guard.held(seat.hold())), List.of(WRITE)))
                .isFalse();
        seat.close();
        assertThat(seat.state()).isEqualTo(HoldState.LOST);
        assertThat(next.state()).isEqualTo(HoldState.HELD);
        next.close();
        seats.take().close();
        stays(() -> lost.size() == 1);
    }

    @Test
    void permit_evicted_theSeatIsLostAndGivenBack() throws Exception {
        Coordinator baton = coordinator();
        Seat seat = seats(baton, 1).take();
        List<String> lost = new CopyOnWriteArrayList<>();
        seat.onLost(() -> lost.add("lost"));
        Coordinator other = coordinator();
        CompletableFuture<Seat> waiting = seats(other, 1).takeAsync();
        waiting(other, 1, 1);
        QueueEntry holder = permits(other, 1).view().holders().get(0);

        assertThat(permits(other, 1).evict(holder, "test")).isTrue();

        Seat next = outcome(waiting);
        soon().until(() -> lost.equals(List.of("lost")));
        assertThat(seat.state()).isEqualTo(HoldState.LOST);
        assertThat(next.number()).isZero();
        assertThat(next.token()).isGreaterThan(seat.token());
        assertThat(baton.transact(List.of(Guard.held(seat.hold())), List.of(WRITE)))
                .isFalse();
        assertThat(baton.transact(List.of(Guard.absent(new RecordKey("tck", "y"))), List.of(WRITE)))
                .isTrue();
    }

    @Test
    void lock_removedByHand_theSeatIsLostAndThePermitGivenBack() throws Exception {
        Coordinator baton = coordinator();
        Seat seat = seats(baton, 1).take();
        List<String> lost = new CopyOnWriteArrayList<>();
        seat.onLost(() -> lost.add("lost"));
        Coordinator other = coordinator();
        CompletableFuture<Seat> waiting = seats(other, 1).takeAsync();
        waiting(other, 1, 1);
        TckClient looking = client();

        store().removeEntry(looking.peers("locks/tck%2F0").get(0));

        soon().until(() -> seat.state() == HoldState.LOST);
        outcome(waiting).close();
        soon().until(() -> lost.equals(List.of("lost")));
        soon().until(() -> permits(other, 1).view().out() == 0);
    }

    @Test
    void take_coordinatorClosedMeanwhile_failsAndSeatsAreGivenBack() throws Exception {
        Coordinator baton = coordinator();
        Seat kept = seats(baton, 2).take();
        Coordinator closing = coordinator();
        Seats its = seats(closing, 2);
        Seat seat = its.take();
        CompletableFuture<Seat> waiting = its.takeAsync();
        waiting(baton, 2, 1);

        closing.close();

        assertThatThrownBy(() -> outcome(waiting)).isInstanceOf(SessionLostException.class);
        assertThatThrownBy(its::take).isInstanceOf(SessionLostException.class);
        assertThat(seat.state()).isNotEqualTo(HoldState.HELD);
        seat.close();
        assertThat(baton.records(Seats.TREE).get("tck").orElseThrow().text())
                .as("the seat of the closed one is not said to be taken")
                .isEqualTo("taken=0" + (1 << kept.number()) + "\n");
        assertThat(outcome(seats(baton, 2).takeAsync()).number()).isEqualTo(seat.number());
    }

    @Test
    void take_coordinatorClosedWhileItLooks_fails() throws Exception {
        Coordinator baton = coordinator();
        try (var held = baton.lock("tck/0").acquire()) {
            Coordinator closing = coordinator();
            Future<Seat> blocking = threads.submit(() -> seats(closing, 1).take());
            soon().until(() -> permits(baton, 1).view().out() == 1);
            stays(() -> !blocking.isDone());

            closing.close();

            assertThatThrownBy(() -> outcome(blocking)).isInstanceOf(SessionLostException.class);
            assertThat(held.state()).isEqualTo(HoldState.HELD);
        }
        seats(baton, 1).take().close();
    }

    @Test
    void nonsense_isRefused() throws InterruptedException {
        Coordinator baton = coordinator();
        seats(baton, 2).take().close();

        assertThatThrownBy(() -> seats(baton, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> seats(baton, 2).tryTake(2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("there is no seat 2");
        assertThatThrownBy(() -> seats(coordinator(), 3).take())
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("set up with 2 permits")
                .hasMessageContaining("asks for one of 3");
    }
}
