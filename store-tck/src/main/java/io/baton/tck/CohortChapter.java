package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.LockOptions;
import io.baton.LockView;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.Released;
import io.baton.Released.Outcome;
import io.baton.SessionState;
import io.baton.StoreUnavailableException;
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
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Locks whose owners in one process share a place in the line: cohorts, and places that linger. */
abstract class CohortChapter extends Chapter {

    private static final Duration LONG = Duration.ofHours(1);
    private static final LockOptions COHORT =
            LockOptions.builder().cohort(1_000_000, LONG).build();
    private static final LockOptions LINGER = LockOptions.builder().linger(LONG).build();
    private static final RecordKey RECORD = new RecordKey("tck", "x");

    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** Changed under the lock only; unprotected on purpose. */
    private int counter;

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    @Test
    void acquire_ofManyThreads_takesTurnsOfFewTokens() throws Exception {
        DistributedLock here = coordinator().lock("tck", COHORT);
        DistributedLock there = coordinator().lock("tck", COHORT);
        List<Hold> held = new CopyOnWriteArrayList<>();
        List<Future<?>> working = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            DistributedLock lock = i % 4 == 0 ? there : here;
            working.add(threads.submit(() -> {
                for (int round = 0; round < 25; round++) {
                    try (Hold hold = lock.acquire()) {
                        int seen = counter;
                        held.add(hold);
                        hold.ensureValid(Duration.ZERO);
                        counter = seen + 1;
                    }
                }
                return true;
            }));
        }
        for (Future<?> each : working) {
            outcome(each);
        }

        assertThat(counter).isEqualTo(200);
        for (int i = 1; i < held.size(); i++) {
            Hold before = held.get(i - 1);
            Hold hold = held.get(i);
            assertThat(hold.token() > before.token() || (hold.token() == before.token() && hold.turn() > before.turn()))
                    .as("%s after %s", hold, before)
                    .isTrue();
        }
        assertThat(held.stream().map(Hold::token).distinct().count()).isLessThan(held.size());
        soon().until(() -> here.queue().isEmpty());
    }

    @Test
    void handOver_othersWait_atMostSoManyInARow() throws Exception {
        LockOptions three = LockOptions.builder().cohort(3, LONG).build();
        DistributedLock here = coordinator().lock("tck", three);
        DistributedLock there = coordinator().lock("tck");
        Hold first = there.acquire();
        List<String> order = new CopyOnWriteArrayList<>();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            all.add(here.acquireAsync().thenAccept(hold -> {
                order.add("here");
                hold.close();
            }));
        }
        soon().until(() -> there.queue().size() == 2);
        all.add(there.acquireAsync().thenAccept(hold -> {
            order.add("there");
            hold.close();
        }));
        soon().until(() -> there.queue().size() == 3);

        first.close();

        outcome(CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)));
        assertThat(order).hasSize(11);
        assertThat(order.indexOf("there")).isEqualTo(4);
    }

    @Test
    void handOver_othersHaveWaitedForLong_areNext() throws Exception {
        LockOptions notForLong = LockOptions.builder()
                .cohort(1_000_000_000, Duration.ofMillis(200))
                .build();
        DistributedLock here = coordinator().lock("tck", notForLong);
        var enough = new AtomicBoolean();
        List<Future<?>> working = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            working.add(threads.submit(() -> {
                while (!enough.get()) {
                    here.acquire().close();
                }
                return true;
            }));
        }
        try (Hold hold = outcome(coordinator().lock("tck").acquireAsync())) {
            assertThat(hold.turn()).isZero();
        } finally {
            enough.set(true);
        }
        for (Future<?> each : working) {
            outcome(each);
        }
    }

    @Test
    void acquire_again_isTheSamePlaceUntilSomebodyComes() throws Exception {
        DistributedLock here = coordinator().lock("tck", LINGER);
        DistributedLock there = coordinator().lock("tck", LINGER);
        Hold first = here.acquire();
        first.close();
        Hold second = here.acquire();
        second.close();

        assertThat(first.state()).isEqualTo(HoldState.RELEASED);
        assertThat(second.token()).isEqualTo(first.token());
        assertThat(second.turn()).isGreaterThan(first.turn());
        assertThat(there.queue()).hasSize(1);

        Hold other = outcome(there.acquireAsync());
        assertThat(other.token()).isGreaterThan(second.token());
        CompletableFuture<Hold> back = here.acquireAsync();
        soon().until(() -> here.queue().size() == 2);
        stays(() -> !back.isDone());
        other.close();
        try (Hold third = outcome(back)) {
            assertThat(third.token()).isGreaterThan(other.token());
        }
    }

    @Test
    void close_nobodyComes_placeGoesAfterItsTime() throws Exception {
        DistributedLock lock = coordinator()
                .lock(
                        "tck",
                        LockOptions.builder().linger(Duration.ofMillis(300)).build());
        lock.acquire().close();
        soon().until(() -> lock.queue().isEmpty());
        lock.acquire().close();
        soon().until(() -> lock.queue().isEmpty());
    }

    @Test
    void tryAcquire_placeThatLingers_isGrantedHere() throws Exception {
        DistributedLock here = coordinator().lock("tck", LINGER);
        try (Hold hold = here.tryAcquire().orElseThrow()) {
            assertThat(here.tryAcquire()).as("another thread holds it").isEmpty();
            assertThat(here.tryAcquire(Duration.ofMillis(50))).isEmpty();
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
        }
        here.tryAcquire().orElseThrow().close();
        try (Hold other = outcome(coordinator().lock("tck").acquireAsync())) {
            assertThat(here.tryAcquire()).isEmpty();
            assertThat(here.tryAcquire(Duration.ofMillis(50))).isEmpty();
            assertThat(other.state()).isEqualTo(HoldState.HELD);
        }
        here.acquire().close();
    }

    @Test
    void transact_formerOwner_isRefusedThoughTheEntryStands() throws Exception {
        Coordinator baton = coordinator();
        DistributedLock lock = baton.lock("tck", LINGER);
        Hold former = lock.acquire();
        CompletableFuture<Hold> waiting = lock.acquireAsync();
        assertThat(write(baton, former, "one")).isTrue();
        former.close();
        assertThat(write(baton, former, "late")).isFalse();

        Hold hold = outcome(waiting);
        assertThat(hold.token()).isEqualTo(former.token());
        assertThat(write(baton, former, "late")).isFalse();
        assertThat(write(baton, hold, "two")).isTrue();
        hold.close();
        assertThat(write(baton, hold, "late")).isFalse();
        assertThat(baton.records("tck").get("x").orElseThrow().text()).isEqualTo("two");
    }

    private static boolean write(Coordinator baton, Hold hold, String text) throws InterruptedException {
        return baton.transact(List.of(Guard.held(hold)), List.of(Op.put(RECORD, text)));
    }

    @Test
    void close_writeIsUnderWay_nextOwnerComesAfterIt() throws Exception {
        Coordinator baton = coordinator();
        DistributedLock lock = baton.lock("tck", COHORT);
        for (int round = 0; round < 20; round++) {
            Hold former = lock.acquire();
            CompletableFuture<Hold> waiting = lock.acquireAsync();
            String text = "round " + round;
            CompletableFuture<Boolean> written =
                    baton.transactAsync(List.of(Guard.held(former)), List.of(Op.put(RECORD, text)));
            var unused = former.releaseAsync();

            Hold next = outcome(waiting);

            assertThat(baton.records("tck").get("x").orElseThrow().text()).isEqualTo(text);
            assertThat(outcome(written)).isTrue();
            next.close();
        }
    }

    @Test
    void acquireAsync_cancelledInTheMiddle_losesNoTurn() throws Exception {
        DistributedLock lock = coordinator().lock("tck", COHORT);
        Hold first = lock.acquire();
        List<CompletableFuture<Hold>> waiting = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            waiting.add(lock.acquireAsync());
        }
        for (int i = 0; i < 9; i += 2) {
            waiting.get(i).cancel(false);
        }
        // The interrupt may come too late, when the lock has been passed on to it: then it releases.
        Future<?> interrupted = threads.submit(() -> {
            lock.acquire().close();
            return null;
        });
        stays(() -> !interrupted.isDone());
        interrupted.cancel(true);
        first.close();
        for (int i = 0; i < 9; i++) {
            CompletableFuture<Hold> each = waiting.get(i);
            if (i % 2 == 0) {
                assertThatThrownBy(each::join).isInstanceOf(CancellationException.class);
            } else {
                outcome(each).close();
            }
        }
        soon().until(() -> lock.queue().isEmpty());
        lock.acquire().close();
    }

    @Test
    void entryRemoved_ownerLosesItAndTheNextHasAnother() throws Exception {
        Coordinator baton = coordinator();
        DistributedLock lock = baton.lock("tck", COHORT);
        Hold hold = lock.acquire();
        CompletableFuture<Hold> waiting = lock.acquireAsync();
        TckClient looking = client();

        store().removeEntry(looking.peers(LINE).get(0));

        Hold next = outcome(waiting);
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(next.token()).isGreaterThan(hold.token());
        hold.close();
        assertThat(next.state()).isEqualTo(HoldState.HELD);
        next.close();
    }

    @Test
    void session_endsWhileThePlaceLingers_nextAcquisitionHasAnother() throws Exception {
        Coordinator baton = coordinator();
        DistributedLock lock = baton.lock("tck", LINGER);
        Hold first = lock.acquire();
        first.close();
        TckClient looking = client();

        store().removeEntry(looking.peers(LINE).get(0));

        // Whoever comes before this client has heard of it gets a hold that is lost at once.
        soon().until(() -> {
            try (Hold hold = lock.acquire()) {
                return hold.token() > first.token() && hold.state() == HoldState.HELD;
            }
        });
    }

    @Test
    void requestRelease_placeThatLingers_isGivenUp() throws Exception {
        DistributedLock here = coordinator().lock("tck", LINGER);
        DistributedLock there = coordinator().lock("tck");
        here.acquire().close();

        Released answer = outcome(there.requestRelease("mine", PATIENCE));

        assertThat(answer.outcome()).isEqualTo(Outcome.RELEASED);
        soon().until(() -> there.queue().isEmpty());
        here.acquire().close();
    }

    @Test
    void requestRelease_ownerListensAndReleases_isTheLinesTurn() throws Exception {
        DistributedLock here = coordinator().lock("tck", COHORT);
        DistributedLock there = coordinator().lock("tck");
        Hold hold = here.acquire();
        hold.onReleaseRequested(request -> {
            var unused = hold.releaseAsync();
        });
        CompletableFuture<Hold> local = here.acquireAsync();
        CompletableFuture<Hold> other = there.acquireAsync();
        soon().until(() -> there.queue().size() == 2);

        Released answer = outcome(there.requestRelease("mine", PATIENCE));

        assertThat(answer.outcome()).isEqualTo(Outcome.RELEASED);
        Hold next = outcome(other);
        assertThat(local).isNotDone();
        next.close();
        outcome(local).close();
    }

    @Test
    void acquire_besideAnAttemptThatDoesNotWait_isNotConcernedByItsFailure() throws Exception {
        Coordinator baton = coordinator(options("tck").requestTimeout(Duration.ofSeconds(2)));
        DistributedLock lock = baton.lock("tck", COHORT);
        store().breakContact();
        soon().until(() -> baton.state() != SessionState.CONNECTED);
        Future<Optional<Hold>> once = threads.submit(() -> lock.tryAcquire());
        stays(() -> !once.isDone());
        CompletableFuture<Hold> patient = lock.acquireAsync();
        assertThatThrownBy(() -> outcome(once)).isInstanceOf(StoreUnavailableException.class);
        assertThat(patient).isNotDone();

        store().restoreContact();

        outcome(patient).close();
    }

    @Test
    void close_ofTheCoordinator_failsWhoWaitsInIt() throws Exception {
        Coordinator baton = coordinator();
        DistributedLock lock = baton.lock("tck", COHORT);
        Hold hold = lock.acquire();
        List<CompletableFuture<Hold>> waiting = List.of(lock.acquireAsync(), lock.acquireAsync());

        baton.close();

        for (CompletableFuture<Hold> each : waiting) {
            assertThatThrownBy(() -> outcome(each)).isInstanceOf(CoordinationException.class);
        }
        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        DistributedLock there = coordinator().lock("tck");
        soon().until(() -> there.queue().isEmpty());
    }

    @Test
    @SuppressWarnings("LockNotBeforeTry")
    void asLock_ofACohort_isReentrant() throws Exception {
        Coordinator baton = coordinator();
        LockView view = baton.lock("tck", COHORT).asLock();
        view.lock();
        view.lock();
        Future<Boolean> other = threads.submit(() -> view.tryLock());
        assertThat(outcome(other)).isFalse();
        view.unlock();
        view.unlock();
        soon().until(() -> baton.lock("tck").queue().isEmpty());
    }
}
