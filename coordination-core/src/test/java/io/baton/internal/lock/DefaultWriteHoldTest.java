package io.baton.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.CoordinatorOptions;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.WriteHold;
import io.baton.internal.HandLoop;
import io.baton.internal.ScriptedStore;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the listeners of a writer's hold are told, and what a downgrade waits for, step by step. */
class DefaultWriteHoldTest {

    private static final String STORE = "default-write-hold-test";

    private final HandLoop loop = new HandLoop();
    private final HandLoop callbacks = loop.beside();
    private final DefaultCoordinator baton =
            DefaultCoordinator.start(MemoryStore.named(STORE), loop, callbacks, CoordinatorOptions.defaults());
    private final List<HoldState> told = new ArrayList<>();
    private final List<String> requested = new ArrayList<>();

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

    // ---- requests to release

    /** Asks the first in the line. */
    private void requestRelease(String reason) {
        var unused = baton.readWriteLock("orders").read().requestRelease(reason, Duration.ofSeconds(5));
        run();
    }

    @Test
    void onReleaseRequested_downgraded_isToldOfNothingLater() {
        WriteHold writer = writer();
        writer.onReleaseRequested(request -> requested.add("writer: " + request.reason()));
        run();
        requestRelease("a");

        var reader = outcome(writer.downgradeAsync());
        reader.onReleaseRequested(request -> requested.add("reader: " + request.reason()));
        requestRelease("b");

        assertThat(requested).startsWith("writer: a").endsWith("reader: b").doesNotContain("writer: b");
    }

    @Test
    void onReleaseRequested_afterTheDowngrade_isToldOfNothing() {
        WriteHold writer = writer();
        var reader = outcome(writer.downgradeAsync());

        writer.onReleaseRequested(request -> requested.add("writer: " + request.reason()));
        reader.onReleaseRequested(request -> requested.add("reader: " + request.reason()));
        requestRelease("a");

        assertThat(requested).containsExactly("reader: a");
    }

    @Test
    void onReleaseRequested_closed_isToldOfNothingLater() {
        WriteHold writer = writer();
        var listening = writer.onReleaseRequested(request -> requested.add(request.reason()));
        run();
        requestRelease("a");

        listening.close();
        requestRelease("b");

        assertThat(requested).containsExactly("a");
    }

    // ---- writes that the hold guards

    /** On a session whose every word is the test's. */
    private static final class Scripted {

        private final HandLoop loop = new HandLoop();
        private final ScriptedStore store = new ScriptedStore(loop);
        private final DefaultCoordinator baton =
                DefaultCoordinator.start(store, loop, loop, CoordinatorOptions.defaults());
        private final WriteHold writer;

        Scripted() {
            loop.run();
            store.connect();
            var granted = baton.readWriteLock("orders").write().acquireAsync();
            loop.run();
            store.provenFor(Duration.ofMinutes(5));
            store.clear();
            loop.run();
            assertThat(granted).isCompleted();
            writer = granted.join();
        }

        /** Sends a write that the hold guards, which ends in this way. */
        CompletableFuture<Boolean> write(CompletionStage<Boolean> outcome) {
            store.outcomes.add(outcome);
            var written = baton.transactAsync(
                    List.of(Guard.held(writer)), List.of(Op.put(new RecordKey("prices", "today"), new byte[0])));
            loop.run();
            return written;
        }

        CompletableFuture<Hold> downgrade() {
            CompletableFuture<Hold> reader = writer.downgradeAsync();
            loop.run();
            return reader;
        }
    }

    @Test
    void downgrade_guardedWriteIsUnderWay_isSentAfterItsAnswer() {
        var scripted = new Scripted();
        var answer = new CompletableFuture<Boolean>();
        var written = scripted.write(answer);

        var reader = scripted.downgrade();

        assertThat(scripted.store.asked).doesNotContain("downgrade");
        assertThat(scripted.writer.state()).isEqualTo(HoldState.RELEASED);
        assertThat(scripted.write(CompletableFuture.completedStage(true)))
                .as("a write that begins later")
                .isCompletedWithValue(false);
        assertThat(scripted.store.asked).doesNotContain("downgrade");
        answer.complete(true);
        scripted.loop.run();
        assertThat(written).isCompletedWithValue(true);
        assertThat(scripted.store.asked).contains("downgrade");
        scripted.store.downgraded.complete(null);
        scripted.loop.run();
        assertThat(reader).isCompleted();
    }

    @Test
    void downgrade_outcomeOfAGuardedWriteIsUnknown_failsAndTheHoldIsReleased() {
        var scripted = new Scripted();
        var answer = new CompletableFuture<Boolean>();
        var written = scripted.write(answer);
        var reader = scripted.downgrade();

        answer.completeExceptionally(new OutcomeUnknownException("no answer"));
        scripted.loop.run();

        assertThat(written).isCompletedExceptionally();
        assertThat(reader).isCompletedExceptionally();
        assertThatThrownBy(reader::join).hasMessageContaining("the outcome of a write");
        assertThat(scripted.store.asked).contains("leave").doesNotContain("downgrade");
    }

    @Test
    void downgrade_guardedWriteWasNotApplied_isSent() {
        var scripted = new Scripted();
        var written = scripted.write(CompletableFuture.failedStage(new StoreUnavailableException("no space")));
        assertThat(written).isCompletedExceptionally();

        var reader = scripted.downgrade();

        assertThat(scripted.store.asked).contains("downgrade").doesNotContain("leave");
        assertThat(reader).isNotDone();
    }

    @Test
    void downgrade_guardedWriteWasRefusedForGood_isSent() {
        var scripted = new Scripted();
        var written = scripted.write(CompletableFuture.failedStage(new CoordinationException("request is too large")));
        assertThat(written).isCompletedExceptionally();

        var reader = scripted.downgrade();

        assertThat(scripted.store.asked).contains("downgrade").doesNotContain("leave");
        assertThat(reader).isNotDone();
    }

    @Test
    void downgrade_guardedWriteHadAGuardThatIsNull_isSent() {
        var scripted = new Scripted();
        List<Guard> guards = Arrays.asList(Guard.held(scripted.writer), null);
        List<Op> ops = List.of(Op.put(new RecordKey("prices", "today"), new byte[0]));
        assertThatThrownBy(() -> scripted.baton.transactAsync(guards, ops))
                .isInstanceOf(IllegalArgumentException.class);

        var reader = scripted.downgrade();

        scripted.store.downgraded.complete(null);
        scripted.loop.run();
        assertThat(reader).isCompleted();
    }

    /** What is no answer of the store says nothing of the write. */
    @Test
    void downgrade_outcomeOfAGuardedWriteIsNoAnswer_failsAndTheHoldIsReleased() {
        for (RuntimeException noAnswer :
                List.of(new SessionLostException("gone"), new IllegalStateException("a defect"))) {
            var scripted = new Scripted();
            var written = scripted.write(CompletableFuture.failedStage(noAnswer));
            assertThat(written).isCompletedExceptionally();

            assertThat(scripted.downgrade()).isCompletedExceptionally();
            assertThat(scripted.store.asked).contains("leave").doesNotContain("downgrade");
        }
    }
}
