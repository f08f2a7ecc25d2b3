package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.IncompatibleOptionsException;
import io.baton.LockDelays;
import io.baton.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Locks that rest between two holds. Only the least time is checked: a busy store may take longer. */
abstract class DelayChapter extends Chapter {

    private static final Duration REST = Duration.ofMillis(800);
    private static final Duration LONG = Duration.ofHours(1);

    private static LockOptions atLeast(Duration time) {
        return LockOptions.builder().holdAtLeast(time).build();
    }

    private static LockOptions afterLoss(Duration time) {
        return LockOptions.builder().delayAfterLoss(time).build();
    }

    @Test
    void holdAtLeast_releasedEarly_keepsOthersOutUntilThen() throws Exception {
        DistributedLock here = coordinator().lock("tck", atLeast(REST));
        DistributedLock there = coordinator().lock("tck", atLeast(REST));
        long start = System.nanoTime();
        Hold hold = here.acquire();
        hold.close();

        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        Optional<Hold> tooEarly = there.tryAcquire();
        assertThat(tooEarly.isEmpty() || since(start).compareTo(REST) >= 0).isTrue();
        tooEarly.ifPresent(Hold::close);
        try (Hold next = outcome(there.acquireAsync())) {
            assertThat(since(start)).isGreaterThanOrEqualTo(REST);
            assertThat(next.token()).isGreaterThan(hold.token());
        }
        soon().until(() -> there.queue().isEmpty());
    }

    @Test
    void holdAtLeast_plainContender_isKeptOutByTheEntry() throws Exception {
        DistributedLock here = coordinator().lock("tck", atLeast(REST));
        DistributedLock plain = coordinator().lock("tck");
        long start = System.nanoTime();
        here.acquire().close();

        outcome(plain.acquireAsync()).close();
        assertThat(since(start)).isGreaterThanOrEqualTo(REST);
    }

    @Test
    void holdAtLeast_coordinatorEnds_recordKeepsOthersOut() throws Exception {
        DistributedLock there = coordinator().lock("tck", atLeast(REST));
        // By the wall clock in milliseconds, as the record has it.
        long start = System.currentTimeMillis();
        Coordinator ending = coordinator();
        ending.lock("tck", atLeast(REST)).acquire().close();
        ending.close();

        try (Hold next = outcome(there.acquireAsync())) {
            assertThat(System.currentTimeMillis() - start).isGreaterThanOrEqualTo(REST.toMillis());
            assertThat(next.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void holdAtLeast_timeHasPassed_costsNobodyTime() throws Exception {
        DistributedLock here = coordinator().lock("tck", atLeast(Duration.ofMillis(1)));
        for (int i = 0; i < 5; i++) {
            outcome(here.acquireAsync()).close();
            outcome(coordinator().lock("tck", atLeast(Duration.ofMillis(1))).acquireAsync())
                    .close();
        }
    }

    @Test
    void tryAcquire_whileItRests_isEmptyAndLeavesTheLine() throws Exception {
        Coordinator ending = coordinator();
        ending.lock("tck", atLeast(LONG)).acquire().close();
        ending.close();
        DistributedLock there = coordinator().lock("tck", atLeast(LONG));

        assertThat(there.tryAcquire()).isEmpty();
        assertThat(there.tryAcquire(Duration.ofMillis(300))).isEmpty();
        soon().until(() -> there.queue().isEmpty());
    }

    @Test
    void delayAfterLoss_released_doesNotRest() throws Exception {
        for (int i = 0; i < 3; i++) {
            try (Hold hold = outcome(coordinator().lock("tck", afterLoss(LONG)).acquireAsync())) {
                assertThat(hold.state()).isEqualTo(HoldState.HELD);
            }
        }
    }

    @Test
    void delayAfterLoss_entryIsRemoved_restsBeforeTheNext() throws Exception {
        DistributedLock here = coordinator().lock("tck", afterLoss(REST));
        DistributedLock there = coordinator().lock("tck", afterLoss(REST));
        Hold lost = here.acquire();
        TckClient looking = client();
        var next = there.acquireAsync();
        soon().until(() -> there.queue().size() == 2);
        long start = System.nanoTime();

        store().removeEntry(looking.peers(LINE).get(0));

        try (Hold hold = outcome(next)) {
            assertThat(since(start)).isGreaterThanOrEqualTo(REST);
            assertThat(hold.token()).isGreaterThan(lost.token());
        }
        soon().until(() -> lost.state() == HoldState.LOST);
        lost.close();
        outcome(there.acquireAsync()).close();
    }

    @Test
    void delayAfterLoss_sessionEnds_restsForWhoComesLater() throws Exception {
        DistributedLock there = coordinator().lock("tck", afterLoss(LONG));
        TckClient looking = client();
        Hold lost = coordinator().lock("tck", afterLoss(LONG)).acquire();
        store().removeEntry(looking.peers(LINE).get(0));
        soon().until(() -> there.queue().isEmpty());

        assertThat(there.tryAcquire()).isEmpty();
        assertThat(there.tryAcquire(Duration.ofMillis(300))).isEmpty();
        soon().until(() -> there.queue().isEmpty());
        lost.close();
        assertThat(there.tryAcquire()).as("it was lost, and not released").isEmpty();
    }

    @Test
    void delayAfterLoss_deadlinePassesWithoutContact_rests() throws Exception {
        DistributedLock lock = briefCoordinator().lock("tck", afterLoss(LONG));
        Hold lost = lock.acquire();
        store().breakContact();
        soon().until(() -> lost.state() == HoldState.LOST);
        lost.close();

        store().restoreContact();

        DistributedLock there = coordinator().lock("tck", afterLoss(LONG));
        soon().until(() -> there.queue().isEmpty());
        assertThat(there.tryAcquire(Duration.ofMillis(300))).isEmpty();
    }

    @Test
    void delayAfterLoss_timeHasPassed_isFreeForWhoDoesNotWait() throws Exception {
        DistributedLock there = coordinator().lock("tck", afterLoss(REST));
        TckClient looking = client();
        Hold lost = coordinator().lock("tck", afterLoss(REST)).acquire();
        long start = System.nanoTime();
        store().removeEntry(looking.peers(LINE).get(0));

        List<Hold> granted = new ArrayList<>();
        soon().until(() -> {
            there.tryAcquire().ifPresent(granted::add);
            return !granted.isEmpty();
        });

        assertThat(since(start)).isGreaterThanOrEqualTo(REST);
        assertThat(granted.get(0).token()).isGreaterThan(lost.token());
        granted.get(0).close();
        lost.close();
    }

    @Test
    void acquireAsync_cancelledAsItIsGranted_keepsNobodyOut() throws Exception {
        LockOptions forLong =
                LockOptions.builder().holdAtLeast(LONG).delayAfterLoss(LONG).build();
        Coordinator baton = coordinator();
        for (int i = 0; i < 30; i++) {
            DistributedLock lock = baton.lock("tck-" + i, forLong);
            CompletableFuture<Hold> future = lock.acquireAsync();
            TimeUnit.MICROSECONDS.sleep(i * 200L);
            if (future.cancel(false)) {
                Optional<Hold> next = lock.tryAcquire(PATIENCE);
                assertThat(next).as("round %d", i).isPresent();
            }
        }
    }

    @Test
    void options_thatDiffer_areRefusedWithBothValues() throws Exception {
        DistributedLock minute = coordinator().lock("tck", atLeast(Duration.ofMinutes(1)));
        DistributedLock hour = coordinator().lock("tck", atLeast(LONG));
        Hold hold = minute.acquire();

        for (boolean held : new boolean[] {true, false}) {
            assertThatThrownBy(() -> outcome(hour.acquireAsync()))
                    .as("held: %s", held)
                    .isInstanceOf(IncompatibleOptionsException.class)
                    .hasMessageContaining("holdAtLeast")
                    .hasMessageContaining("60 s")
                    .hasMessageContaining("3600 s");
            hold.close();
        }
        // The refused entry leaves on its own connection.
        soon().until(() -> minute.queue().size() == 1);
    }

    /** The documented way to other values, once all contenders have been stopped. */
    @Test
    void options_otherOnceTheRecordIsDeleted_areTaken() throws Exception {
        Coordinator stopped = coordinator();
        stopped.lock("tck", atLeast(LONG)).acquire().close();
        stopped.close();
        Coordinator baton = coordinator();
        soon().until(() -> baton.lock("tck").queue().isEmpty());

        baton.records("baton.delays").delete("locks/tck");

        baton.lock("tck", atLeast(REST)).acquire().close();
        assertThat(baton.lock("tck").delays().orElseThrow().holdAtLeast()).isEqualTo(REST);
    }

    @Test
    void delays_heldThenLost_haveTheOptionsAndThenTheRest() throws Exception {
        DistributedLock plain = coordinator().lock("tck");
        assertThat(plain.delays()).isEmpty();
        LockOptions both =
                LockOptions.builder().holdAtLeast(LONG).delayAfterLoss(LONG).build();
        Hold hold = coordinator().lock("tck", both).acquire();

        assertThat(plain.delays()).hasValue(new LockDelays(LONG, LONG, Duration.ZERO, Duration.ZERO));

        store().removeEntry(client().peers(LINE).get(0));
        soon().until(() -> plain.queue().isEmpty());
        LockDelays lost = plain.delays().orElseThrow();
        assertThat(lost.holdLeft()).isPositive().isLessThanOrEqualTo(LONG);
        assertThat(lost.lossLeft()).isEqualTo(LONG);
        assertThat(lost.rest()).isEqualTo(LONG);
        assertThat(plain.tryAcquire())
                .as("without options it is kept out by entries only")
                .isPresent();
        hold.close();
    }

    @Test
    void delays_releasedInTime_haveNoRest() throws Exception {
        DistributedLock lock = coordinator().lock("tck", afterLoss(LONG));
        lock.acquire().close();

        assertThat(lock.delays()).hasValue(new LockDelays(Duration.ZERO, LONG, Duration.ZERO, Duration.ZERO));
    }

    @Test
    void options_thatContradict_areRefused() {
        LockOptions.Builder both = LockOptions.builder().linger(REST).delayAfterLoss(REST);
        assertThatThrownBy(both::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot be combined");
        LockOptions.Builder builder = LockOptions.builder();
        assertThatThrownBy(() -> builder.cohort(0, REST)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.cohort(1, Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.linger(REST.negated())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.holdAtLeast(Duration.ofDays(1_000)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}
