package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Owners that share a place with the contact cut at each single message. One of them holds at a time, and the place is
 * left once none of them wants it any more.
 */
abstract class CohortFaultChapter extends CutChapter {

    private static final Duration LONG = Duration.ofHours(1);
    private static final LockOptions COHORT =
            LockOptions.builder().cohort(1_000_000, LONG).build();
    private static final LockOptions LINGER = LockOptions.builder().linger(LONG).build();

    /** Without a proof the place is not passed on: then it is the turn of who waits behind. */
    @Test
    void turns_cutAtEachMessage_areTakenByOneAtATimeAndThePlaceIsLeft() throws Exception {
        atEachMessage(Act.TAKE_TURNS, stage -> {
            Hold first = outcome(stage.acquire(stage.steady()));
            DistributedLock shared = stage.troubled().lock(stage.name(), COHORT);
            stage.arm();
            List<CompletableFuture<Hold>> asked = acquireThrice(stage, shared);
            stage.awaitQueue(2);
            asked.add(stage.acquire(stage.steady()));
            stage.awaitQueue(3);
            first.close();

            while (!asked.isEmpty()) {
                Hold hold = (Hold) outcome(CompletableFuture.anyOf(asked.toArray(CompletableFuture[]::new)));
                stage.awaitQuiet();
                assertThat(asked).filteredOn(CompletableFuture::isDone).hasSize(1);
                asked.removeIf(CompletableFuture::isDone);
                assertThat(hold.state()).isNotEqualTo(HoldState.LOST);
                hold.close();
            }
            stage.awaitQueue(0);
        });
    }

    @Test
    void cancelOfAll_cutAtEachMessage_leavesThePlace() throws Exception {
        atEachMessage(Act.LEAVE_SHARED, stage -> {
            Hold first = outcome(stage.acquire(stage.steady()));
            List<CompletableFuture<Hold>> asked =
                    acquireThrice(stage, stage.troubled().lock(stage.name(), COHORT));
            stage.awaitQueue(2);
            CompletableFuture<Hold> behind = stage.acquire(stage.steady());
            stage.awaitQueue(3);
            stage.arm();
            asked.forEach(each -> assertThat(each.cancel(true)).isTrue());
            stage.awaitQueue(2);
            stage.awaitQuiet();

            assertThat(behind).isNotDone();
            first.close();
            outcome(behind).close();
        });
    }

    private static List<CompletableFuture<Hold>> acquireThrice(Stage stage, DistributedLock shared) {
        List<CompletableFuture<Hold>> asked = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            asked.add(stage.acquire(shared));
        }
        return asked;
    }

    @Test
    void linger_cutAtEachMessage_placeGoesOnceAnotherComes() throws Exception {
        atEachMessage(Act.LINGER, stage -> {
            DistributedLock lingers = stage.troubled().lock(stage.name(), LINGER);
            stage.arm();
            outcome(stage.acquire(lingers)).close();
            outcome(stage.acquire(lingers)).close();

            Hold other = outcome(stage.acquire(stage.steady()));
            stage.awaitQueue(1);
            CompletableFuture<Hold> again = stage.acquire(lingers);
            stage.awaitQueue(2);
            stage.awaitQuiet();
            assertThat(again).isNotDone();
            other.close();
            outcome(again).close();
            outcome(stage.acquire(stage.steady())).close();
        });
    }
}
