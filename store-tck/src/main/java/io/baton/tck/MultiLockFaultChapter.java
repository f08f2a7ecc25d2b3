package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Hold;
import io.baton.HoldState;
import io.baton.MultiHold;
import io.baton.MultiLock;
import io.baton.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Several locks as one with the contact cut at each single message: all or none, in their order. */
abstract class MultiLockFaultChapter extends CutChapter {

    private static final Duration SHORT = Duration.ofMillis(100);

    @Test
    void acquire_cutAtEachMessage_asksInOrderAndHoldsAll() throws Exception {
        atEachMessage(Act.ACQUIRE_ALL, stage -> {
            Hold taken = outcome(stage.acquire(stage.steady()));
            MultiLock several = several(stage);
            stage.arm();
            CompletableFuture<MultiHold> asked = several.acquireAsync();
            standing(stage, 1, 2, 0);
            stage.awaitQuiet();
            assertThat(asked).isNotDone();
            assertThat(lengths(stage)).as("the last one is not asked for").containsExactly(1, 2, 0);
            taken.close();

            MultiHold all = outcome(asked);
            stage.disarm();
            assertThat(all.state()).isNotEqualTo(HoldState.LOST);
            assertThat(all.holds().keySet()).containsExactlyElementsOf(names(stage));
            for (String name : names(stage)) {
                assertThat(stage.steady().lock(name).tryAcquire()).isEmpty();
            }
            all.close();
            areFree(stage);
        });
    }

    @Test
    void cancel_cutAtEachMessage_leavesNone() throws Exception {
        atEachMessage(Act.CANCEL_ALL, stage -> {
            Hold taken = outcome(stage.acquire(stage.steady()));
            CompletableFuture<MultiHold> asked = several(stage).acquireAsync();
            standing(stage, 1, 2, 0);
            CompletableFuture<Hold> behind =
                    stage.steady().lock(names(stage).get(0)).acquireAsync();
            standing(stage, 2, 2, 0);
            stage.arm();
            assertThat(asked.cancel(true)).isTrue();

            outcome(behind).close();
            standing(stage, 0, 1, 0);
            stage.awaitQuiet();
            assertThat(taken.state()).isEqualTo(HoldState.HELD);
            taken.close();
            areFree(stage);
        });
    }

    /** The time may be over before the first lock was asked for, or while there is no contact. */
    @Test
    void tryAcquire_forTooShort_cutAtEachMessage_leavesNone() throws Exception {
        atEachMessage(Act.TIME_OUT_ALL, stage -> {
            Hold taken = outcome(stage.acquire(stage.steady()));
            MultiLock several = several(stage);
            stage.arm();
            assertThat(tryShortly(several)).isEmpty();

            standing(stage, 0, 1, 0);
            stage.awaitQuiet();
            assertThat(taken.state()).isEqualTo(HoldState.HELD);
            taken.close();
            areFree(stage);
        });
    }

    private static Optional<MultiHold> tryShortly(MultiLock several) throws InterruptedException {
        try {
            return several.tryAcquire(SHORT);
        } catch (StoreUnavailableException withoutContact) {
            return Optional.empty();
        }
    }

    @Test
    void release_cutAtEachMessage_grantsThoseBehindEachOfThem() throws Exception {
        atEachMessage(Act.RELEASE_ALL, stage -> {
            MultiHold all = outcome(several(stage).acquireAsync());
            List<CompletableFuture<Hold>> behind = new ArrayList<>();
            for (String name : names(stage)) {
                behind.add(stage.steady().lock(name).acquireAsync());
            }
            standing(stage, 2, 2, 2);
            stage.arm();
            CompletableFuture<Void> released = all.releaseAsync();

            for (CompletableFuture<Hold> each : behind) {
                outcome(each).close();
            }
            outcome(released);
            assertThat(all.state()).isEqualTo(HoldState.RELEASED);
            areFree(stage);
        });
    }

    /** The lock of the stage between two others, in the order in which they are acquired. */
    private static List<String> names(Stage stage) {
        return List.of("a-" + stage.name(), stage.name(), "z-" + stage.name());
    }

    private static MultiLock several(Stage stage) throws InterruptedException {
        return stage.troubled().multiLock(names(stage));
    }

    private static void standing(Stage stage, Integer... numbers) {
        soon().until(() -> lengths(stage).equals(List.of(numbers)));
    }

    /** How many stand in the line of each lock. */
    private static List<Integer> lengths(Stage stage) throws InterruptedException {
        List<Integer> lengths = new ArrayList<>();
        for (String name : names(stage)) {
            lengths.add(stage.steady().lock(name).queue().size());
        }
        return lengths;
    }

    private static void areFree(Stage stage) throws InterruptedException {
        standing(stage, 0, 0, 0);
        outcome(stage.steady().multiLock(names(stage)).acquireAsync()).close();
    }
}
