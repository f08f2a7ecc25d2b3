package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.LockOptions;
import io.baton.QueueEntry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Locks that rest between two holds, with the contact cut at each single message. A rest is never shortened, and ends.
 * Times are those of the wall clock in milliseconds, as the record has them.
 */
abstract class DelayFaultChapter extends CutChapter {

    private static final Duration REST = Duration.ofMillis(250);
    private static final LockOptions AT_LEAST =
            LockOptions.builder().holdAtLeast(REST).build();
    private static final LockOptions AFTER_LOSS =
            LockOptions.builder().delayAfterLoss(REST).build();
    /** A rest that should not have been shows. */
    private static final LockOptions LONG_AFTER_LOSS =
            LockOptions.builder().delayAfterLoss(Duration.ofHours(1)).build();

    @Test
    void releasedEarly_cutAtEachMessage_keepsOthersOutForItsTime() throws Exception {
        atEachMessage(Act.RELEASE_EARLY, stage -> {
            DistributedLock lock = stage.troubled().lock(stage.name(), AT_LEAST);
            stage.arm();
            long start = System.currentTimeMillis();
            var unused = outcome(stage.acquire(lock)).releaseAsync();

            Hold next = outcome(stage.acquire(lock(stage, AT_LEAST)));

            assertThat(millisSince(start)).isGreaterThanOrEqualTo(REST.toMillis());
            next.close();
        });
    }

    @Test
    void releasedInTime_cutAtEachMessage_doesNotRest() throws Exception {
        atEachMessage(Act.RELEASE_IN_TIME, stage -> {
            Hold hold = outcome(stage.acquire(stage.troubled().lock(stage.name(), LONG_AFTER_LOSS)));
            stage.arm();
            CompletableFuture<Void> released = hold.releaseAsync();

            outcome(stage.acquire(lock(stage, LONG_AFTER_LOSS))).close();
            outcome(released);
        });
    }

    @Test
    void cancelledAsItIsGranted_cutAtEachMessage_keepsNobodyOut() throws Exception {
        atEachMessage(Act.CANCEL_RESTING, stage -> {
            DistributedLock lock = stage.troubled().lock(stage.name(), LONG_AFTER_LOSS);
            stage.arm();
            CompletableFuture<Hold> asked = stage.acquire(lock);
            soon().until(() ->
                    asked.isDone() || lock(stage, LONG_AFTER_LOSS).queue().size() == 1);
            if (!asked.cancel(true)) {
                var unused = outcome(asked).releaseAsync();
            }

            outcome(stage.acquire(lock(stage, LONG_AFTER_LOSS))).close();
        });
    }

    @Test
    void lost_cutAtEachMessageOfTheHolder_restsThoughItReleasesLater() throws Exception {
        atEachMessage(Act.LOSE, stage -> {
            // Not by the stage, which compares holds: an evicted one may hear of that after the next was granted.
            Hold lost = outcome(stage.troubled().lock(stage.name(), AFTER_LOSS).acquireAsync());
            DistributedLock steady = lock(stage, AFTER_LOSS);
            CompletableFuture<Hold> waiting = stage.acquire(steady);
            stage.awaitQueue(2);
            QueueEntry stuck = steady.queue().get(0);
            stage.arm();
            long start = System.currentTimeMillis();
            assertThat(steady.evict(stuck, "stuck")).isTrue();
            var unused = lost.releaseAsync();

            Hold next = outcome(waiting);
            assertThat(millisSince(start)).isGreaterThanOrEqualTo(REST.toMillis());
            stage.awaitQuiet();
            assertThat(next.state()).isEqualTo(HoldState.HELD);
            next.close();
        });
    }

    @Test
    void lost_cutAtEachMessageOfTheNext_restsForItsTime() throws Exception {
        atEachMessage(Act.WAIT_OUT, stage -> {
            DistributedLock steady = lock(stage, AFTER_LOSS);
            Hold lost = outcome(steady.acquireAsync()); // as above
            CompletableFuture<Hold> waiting = stage.acquire(stage.troubled().lock(stage.name(), AFTER_LOSS));
            stage.awaitQueue(2);
            QueueEntry stuck = steady.queue().get(0);
            stage.arm();
            long start = System.currentTimeMillis();
            assertThat(steady.evict(stuck, "stuck")).isTrue();

            Hold next = outcome(waiting);
            assertThat(millisSince(start)).isGreaterThanOrEqualTo(REST.toMillis());
            lost.close();
            assertThat(next.state()).isNotEqualTo(HoldState.LOST);
            next.close();
            outcome(stage.acquire(lock(stage, AFTER_LOSS))).close();
        });
    }

    private static DistributedLock lock(Stage stage, LockOptions options) {
        return stage.steady().lock(stage.name(), options);
    }

    private static long millisSince(long start) {
        return System.currentTimeMillis() - start;
    }
}
