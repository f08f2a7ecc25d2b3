package io.baton.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinatorOptions;
import io.baton.HoldState;
import io.baton.WriteHold;
import io.baton.internal.HandLoop;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the listeners of a writer's hold are told, step by step. */
class DefaultWriteHoldTest {

    private static final String STORE = "default-write-hold-test";

    private final HandLoop loop = new HandLoop();
    private final HandLoop callbacks = loop.beside();
    private final DefaultCoordinator baton =
            DefaultCoordinator.start(MemoryStore.named(STORE), loop, callbacks, CoordinatorOptions.defaults());
    private final List<HoldState> told = new ArrayList<>();

    @AfterEach
    void drop() {
        MemoryStore.drop(STORE);
    }

    private <T> T outcome(CompletableFuture<T> future) {
        run();
        assertThat(future).isCompleted();
        return future.join();
    }

    private void run() {
        loop.run();
        callbacks.run();
        loop.run();
    }

    private WriteHold writer() {
        return outcome(baton.readWriteLock("orders").write().acquireAsync());
    }

    @Test
    void onState_downgraded_isToldOfTheReleaseAndOfNothingLater() {
        WriteHold writer = writer();
        writer.onState(told::add);
        run();

        var reader = outcome(writer.downgradeAsync());
        outcome(reader.releaseAsync());

        assertThat(told).containsExactly(HoldState.HELD, HoldState.RELEASED);
    }

    @Test
    void onState_afterTheDowngrade_isToldOfTheReleaseAtOnce() {
        WriteHold writer = writer();
        var reader = outcome(writer.downgradeAsync());

        writer.onState(told::add);
        run();

        assertThat(told).containsExactly(HoldState.RELEASED);
        assertThat(reader.state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void onState_listenerThatThrows_keepsTheReleaseFromNoOther() {
        WriteHold writer = writer();
        writer.onState(state -> {
            throw new IllegalStateException("as it may");
        });
        writer.onState(told::add);
        run();

        outcome(writer.downgradeAsync());

        assertThat(told).containsExactly(HoldState.HELD, HoldState.RELEASED);
    }

    /** Other threads run what there is for them while the listener is busy. */
    @Test
    void onState_downgradedWhileTheListenerIsCalled_isCalledOnceMoreAfterThat() {
        WriteHold writer = writer();
        writer.onState(state -> {
            if (state == HoldState.HELD) {
                outcome(writer.downgradeAsync());
                assertThat(told).isEmpty();
            }
            told.add(state);
        });

        run();

        assertThat(told).containsExactly(HoldState.HELD, HoldState.RELEASED);
    }

    @Test
    void onState_lost_isToldOfTheLoss() {
        WriteHold writer = writer();
        writer.onState(told::add);
        run();

        MemoryStore.named(STORE).expireSessions();
        run();

        assertThat(told).containsExactly(HoldState.HELD, HoldState.LOST);
    }
}
