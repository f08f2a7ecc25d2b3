package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.DistributedReadWriteLock;
import io.baton.DistributedSemaphore;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.PermitHold;
import io.baton.WriteHold;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Downgrades, shared claims and permits with the contact cut at each single message; as {@link FaultChapter}. */
abstract class ClaimFaultChapter extends CutChapter {

    @Test
    void downgrade_cutAtEachMessage_keepsThePlaceAndLetsReadersInOnly() throws Exception {
        atEachMessage(Act.DOWNGRADE, stage -> {
            DistributedReadWriteLock steady = stage.steady().readWriteLock(stage.name());
            WriteHold writer =
                    stage.troubled().readWriteLock(stage.name()).write().acquire();
            CompletableFuture<Hold> reader = steady.read().acquireAsync();
            standing(steady, 2);
            CompletableFuture<WriteHold> next = steady.write().acquireAsync();
            standing(steady, 3);
            stage.arm();
            Hold kept = writer.downgrade();
            stage.disarm();

            Hold beside = outcome(reader);
            assertThat(kept.state()).isNotEqualTo(HoldState.LOST);
            assertThat(kept.token()).isEqualTo(writer.token());
            beside.close();
            assertThat(next).isNotDone();
            kept.close();
            outcome(next).close();
        });
    }

    @Test
    void share_cutAtEachMessage_isGrantedBesideADowngradedWriter() throws Exception {
        atEachMessage(Act.SHARE, stage -> {
            DistributedReadWriteLock steady = stage.steady().readWriteLock(stage.name());
            WriteHold writer = steady.write().acquire();
            CompletableFuture<Hold> reader =
                    stage.troubled().readWriteLock(stage.name()).read().acquireAsync();
            standing(steady, 2);
            stage.arm();
            Hold kept = writer.downgrade();

            outcome(reader).close();
            stage.disarm();
            assertThat(steady.write().tryAcquire()).isEmpty();
            kept.close();
            standing(steady, 0);
        });
    }

    @Test
    void permits_cutAtEachMessage_areGrantedOnceTheyFitAndComeBack() throws Exception {
        atEachMessage(Act.PERMITS, stage -> {
            DistributedSemaphore steady = stage.steady().semaphore(stage.name(), 3);
            PermitHold two = steady.acquire(2);
            stage.troubled();
            stage.arm();
            CompletableFuture<PermitHold> waiting =
                    stage.troubled().semaphore(stage.name(), 3).acquireAsync(2);
            soon().until(() -> steady.view().waiting().size() == 1);
            stage.awaitQuiet();
            assertThat(waiting).isNotDone();
            two.close();

            PermitHold granted = outcome(waiting);
            stage.disarm();
            assertThat(steady.tryAcquire(2)).isEmpty();
            granted.close();
            outcome(steady.acquireAsync(3)).close();
            soon().until(() ->
                    steady.view().waiting().isEmpty() && steady.view().out() == 0);
        });
    }

    private static void standing(DistributedReadWriteLock lock, int number) {
        soon().until(() -> lock.queue().size() == number);
    }
}
