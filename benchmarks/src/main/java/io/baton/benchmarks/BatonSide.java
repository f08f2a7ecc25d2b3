package io.baton.benchmarks;

import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.DistributedReadWriteLock;
import io.baton.DistributedSemaphore;
import io.baton.Hold;
import io.baton.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Baton: one coordinator and one lock object per client. */
final class BatonSide implements Side {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final List<Coordinator> coordinators = new ArrayList<>();
    private final List<DistributedLock> locks = new ArrayList<>();
    private final List<BatonTurn> turns = new ArrayList<>();
    private final List<LockTurn> recipes = new ArrayList<>();

    private BatonSide() {}

    static BatonSide connect(String store, Row row) throws InterruptedException {
        var side = new BatonSide();
        for (int i = 0; i < row.clients(); i++) {
            Coordinator coordinator = Coordinator.connect(store);
            side.coordinators.add(coordinator);
            side.locks.add(lock(coordinator, row.kind()));
        }
        if (row.kind().isRecipe()) {
            side.recipes.addAll(BatonRecipes.turns(side.coordinators, row));
            return side;
        }
        for (int i = 0; i < row.workers(); i++) {
            Coordinator coordinator = side.coordinators.get(i % row.clients());
            side.turns.add(new BatonTurn(taking(coordinator, side.locks.get(i % row.clients()), row), row.acked()));
        }
        return side;
    }

    private static DistributedLock lock(Coordinator coordinator, LockKind kind) {
        return switch (kind) {
            case COHORT ->
                coordinator.lock(
                        "contended", LockOptions.builder().cohort(1_000, LONG).build());
            case LINGER ->
                coordinator.lock("contended", LockOptions.builder().linger(LONG).build());
            default -> coordinator.lock("contended");
        };
    }

    /** Acquires a hold, shared or not. */
    private interface Taking {
        Hold take(boolean shared) throws InterruptedException;
    }

    private static Taking taking(Coordinator coordinator, DistributedLock mutex, Row row) {
        if (row.kind().readsAndWrites()) {
            DistributedReadWriteLock lock = coordinator.readWriteLock("contended");
            return shared -> shared ? lock.read().acquire() : lock.write().acquire();
        }
        if (row.kind() == LockKind.SEMAPHORE) {
            DistributedSemaphore semaphore = coordinator.semaphore("contended", LockKind.PERMITS);
            return shared -> semaphore.acquire();
        }
        return shared -> mutex.acquire();
    }

    @Override
    public List<LockTurn> turns() {
        return recipes.isEmpty() ? List.copyOf(turns) : List.copyOf(recipes);
    }

    @Override
    public int inLine() throws InterruptedException {
        return locks.get(0).queue().size();
    }

    @Override
    public void settle() {
        turns.forEach(turn -> turn.released.join());
    }

    @Override
    public void close() {
        coordinators.forEach(Coordinator::close);
    }

    private static final class BatonTurn implements LockTurn {

        private final Taking lock;
        private final boolean acked;
        private @Nullable Hold hold;
        private CompletableFuture<Void> released = CompletableFuture.completedFuture(null);

        BatonTurn(Taking lock, boolean acked) {
            this.lock = lock;
            this.acked = acked;
        }

        @Override
        public void take(boolean shared) throws InterruptedException {
            hold = lock.take(shared);
        }

        @Override
        public void give() {
            Hold held = hold;
            if (held == null) {
                throw new IllegalStateException("not held");
            }
            hold = null;
            if (acked) {
                held.close();
            } else {
                released = held.releaseAsync();
            }
        }
    }
}
