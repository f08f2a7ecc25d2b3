package io.baton.benchmarks;

import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.Hold;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Baton: one coordinator and one lock object per client. */
final class BatonSide implements Side {

    private final List<Coordinator> coordinators = new ArrayList<>();
    private final List<DistributedLock> locks = new ArrayList<>();
    private final List<BatonTurn> turns = new ArrayList<>();

    private BatonSide() {}

    static BatonSide connect(String store, Row row) throws InterruptedException {
        var side = new BatonSide();
        for (int i = 0; i < row.clients(); i++) {
            Coordinator coordinator = Coordinator.connect(store);
            side.coordinators.add(coordinator);
            side.locks.add(coordinator.lock("contended"));
        }
        for (int i = 0; i < row.workers(); i++) {
            side.turns.add(new BatonTurn(side.locks.get(i % row.clients()), row.acked()));
        }
        return side;
    }

    @Override
    public List<LockTurn> turns() {
        return List.copyOf(turns);
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

        private final DistributedLock lock;
        private final boolean acked;
        private @Nullable Hold hold;
        private CompletableFuture<Void> released = CompletableFuture.completedFuture(null);

        BatonTurn(DistributedLock lock, boolean acked) {
            this.lock = lock;
            this.acked = acked;
        }

        @Override
        public void take() throws InterruptedException {
            hold = lock.acquire();
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
