package io.baton.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.LockLostException;
import io.baton.ReleaseRequest;
import io.baton.Subscription;
import io.baton.WriteHold;
import io.baton.internal.HandLoop;
import io.baton.internal.callback.ClientCallbacks;
import io.baton.memory.MemoryStore;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Resource;
import io.baton.spi.Entry;
import io.baton.spi.Guarantees;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.Proof;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
@SuppressWarnings("LockNotBeforeTry") // what is tested is the locking itself
class ReentrantReadWriteViewTest {

    private static final String STORE = "reentrant-read-write-view-test";
    private static final Guarantees QUORUM = Guarantees.ofQuorum(10, 100_000, Duration.ofSeconds(1));

    private final CompletableFuture<Void> downgraded = new CompletableFuture<>();
    private final CompletableFuture<Void> removed = new CompletableFuture<>();

    /** The thread that unlocks may be the one that would complete users' futures. */
    @Test
    void unlock_onTheOnlyCallbackThread_downgradesAndReturns() throws Exception {
        ExecutorService only = Executors.newSingleThreadExecutor();
        try (Coordinator baton = Coordinator.connect(
                "mem:" + STORE, CoordinatorOptions.builder().callbacks(only).build())) {
            ReadWriteLock lock = baton.readWriteLock("orders").asReadWriteLock();

            var besideTheReader = only.submit(() -> {
                lock.writeLock().lock();
                lock.readLock().lock();
                lock.writeLock().unlock();
                Optional<Hold> beside = baton.readWriteLock("orders").read().tryAcquire();
                beside.ifPresent(Hold::close);
                lock.readLock().unlock();
                return beside.isPresent();
            });

            assertThat(besideTheReader.get(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            only.shutdownNow();
            MemoryStore.drop(STORE);
        }
    }

    @Test
    void lock_nestedAfterADowngradeThatWasRefused_saysThatNothingIsHeld() {
        ReadWriteLock lock = lockOfOneHold();
        lock.writeLock().lock();
        lock.readLock().lock();
        downgraded.completeExceptionally(new CoordinationException("no space"));

        lock.writeLock().unlock();

        assertThatThrownBy(lock.readLock()::lock)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("was released");
        removed.complete(null);
        lock.readLock().unlock();
    }

    /** A lock whose only writer has this test's answers. */
    private ReadWriteLock lockOfOneHold() {
        HandLoop loop = new HandLoop();
        ClientLoop own = new ClientLoop(loop);
        ClientCallbacks callbacks = ClientCallbacks.on(Runnable::run);
        Resource resource = Resource.lock("orders");
        Entry entry = new Entry(new Peer(Line.of("locks/orders"), "entry", 1), 42, new byte[0], "session");
        Proof proof = new Proof(loop.nanoTime(), loop.wallMillis(), loop.nanoTime() + 10_000_000_000L, 1);
        FencedHold hold =
                new FencedHold(resource, entry, proof, own, callbacks, Duration.ofSeconds(1), QUORUM, new Answers(), 0);
        var parts = new LockParts(null, null, null, callbacks, null, HoldHandles.NONE, Duration.ofSeconds(1), "test");
        AcquireAttempts granted = (noWait, limit) -> new Granted(hold);
        return new ReentrantReadWriteView(
                "orders",
                new Acquirer<>(granted, parts, read -> read),
                new Acquirer<WriteHold>(granted, parts, DefaultWriteHold::new));
    }

    private record Granted(FencedHold hold) implements AcquireAttempt {

        @Override
        public CompletableFuture<Optional<FencedHold>> decision() {
            return CompletableFuture.completedFuture(Optional.of(hold));
        }

        @Override
        public void giveUp() {}

        @Override
        public void cancel() {}
    }

    private final class Answers implements FencedHold.Owner {

        @Override
        public void expired() {}

        @Override
        public void doubted() {}

        @Override
        public CompletableFuture<Void> release() {
            return removed;
        }

        @Override
        public Subscription onReleaseRequested(FencedHold hold, Consumer<ReleaseRequest> listener) {
            return () -> {};
        }

        @Override
        public CompletableFuture<Void> downgrade() {
            return downgraded;
        }
    }
}
