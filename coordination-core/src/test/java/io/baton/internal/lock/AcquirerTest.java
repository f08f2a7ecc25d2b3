package io.baton.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.internal.HandLoop;
import io.baton.internal.ScriptedStore;
import io.baton.internal.callback.ClientCallbacks;
import io.baton.internal.telemetry.Reporter;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Resource;
import io.baton.spi.Claim;
import io.baton.spi.SessionSpec;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Acquisitions that are granted when the program cannot be given the hold, as the machine has no memory for it. */
@Timeout(60)
class AcquirerTest {

    private static final Resource LOCK = Resource.lock("orders");

    private final HandLoop loop = new HandLoop();
    private final ScriptedStore store = new ScriptedStore(loop);
    private final ClientLoop own = new ClientLoop(loop);
    private final ClientCallbacks callbacks = ClientCallbacks.on(loop);
    private final Acquisitions all = new Acquisitions(
            own,
            callbacks,
            CoordinatorOptions.defaults(),
            new Reporter(own, callbacks, List.of()),
            NobodyAsks.on(own, callbacks),
            store.guarantees());
    private final Error broken = new OutOfMemoryError("no thread");
    private final Acquirer<Hold> acquirer = acquirer();

    private Acquirer<Hold> acquirer() {
        HoldHandles none = () -> granted -> {
            throw broken;
        };
        var parts = new LockParts(all, null, null, callbacks, null, none, Duration.ofSeconds(1), "test");
        store.open(new SessionSpec(ScriptedStore.TIMEOUT, "test"), loop, new SessionEvents(() -> all, store));
        store.connect();
        store.free.complete(true);
        return new Acquirer<>(
                (noWait, limit) -> {
                    var granted = all.begin(LOCK, new LineContender(LOCK.line(), Claim.EXCLUSIVE), noWait, limit);
                    loop.run();
                    store.clear();
                    loop.run();
                    assertThat(granted.decision()).isCompletedWithValueMatching(hold -> hold.isPresent());
                    return granted;
                },
                parts,
                Function.identity());
    }

    private void throwsAndLeaves(ThrowingCallable acquire) {
        assertThatThrownBy(acquire).isSameAs(broken);
        loop.run();
        assertThat(store.asked).endsWith("leave");
    }

    @Test
    void acquire_noHandleCanBeMade_throwsAndLeaves() {
        throwsAndLeaves(acquirer::acquire);
    }

    @Test
    void tryAcquire_noHandleCanBeMade_throwsAndLeaves() {
        throwsAndLeaves(acquirer::tryAcquire);
    }

    @Test
    void acquireUninterruptibly_noHandleCanBeMade_throwsAndLeaves() {
        throwsAndLeaves(acquirer::acquireUninterruptibly);
    }

    @Test
    void acquireAsync_noHandleCanBeMade_failsAndLeaves() {
        var acquired = acquirer.acquireAsync();
        loop.run();

        assertThat(acquired).isCompletedExceptionally();
        assertThatThrownBy(acquired::get).hasRootCause(broken);
        assertThat(store.asked).endsWith("leave");
    }
}
