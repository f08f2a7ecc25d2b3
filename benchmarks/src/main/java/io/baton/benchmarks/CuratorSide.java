package io.baton.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.jspecify.annotations.Nullable;

/** Curator: one framework and one mutex per client. A release is always confirmed before it returns. */
final class CuratorSide implements Side {

    private static final int TIMEOUT_MILLIS = 10_000;
    private static final String PATH = "/curator/contended";

    private final List<CuratorFramework> frameworks = new ArrayList<>();
    private final List<InterProcessMutex> mutexes = new ArrayList<>();
    private final List<LockTurn> turns = new ArrayList<>();

    private CuratorSide() {}

    static CuratorSide connect(String servers, Row row) throws Exception {
        var side = new CuratorSide();
        for (int i = 0; i < row.clients(); i++) {
            CuratorFramework framework = CuratorFrameworkFactory.builder()
                    .connectString(servers)
                    .sessionTimeoutMs(TIMEOUT_MILLIS)
                    .connectionTimeoutMs(TIMEOUT_MILLIS)
                    .retryPolicy(new ExponentialBackoffRetry(100, 3))
                    // It would learn the servers' own addresses from an ensemble, and pass by the proxies.
                    .ensembleTracker(false)
                    .build();
            framework.start();
            side.frameworks.add(framework);
            if (!framework.blockUntilConnected(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("Curator does not reach " + servers);
            }
            side.mutexes.add(new InterProcessMutex(framework, PATH));
        }
        if (row.kind().isRecipe()) {
            side.turns.addAll(CuratorRecipes.turns(side.frameworks, row));
            return side;
        }
        for (int i = 0; i < row.workers(); i++) {
            int client = i % row.clients();
            side.turns.add(side.turn(client, row.kind()));
        }
        return side;
    }

    private LockTurn turn(int client, LockKind kind) {
        if (kind.readsAndWrites()) {
            var lock = new InterProcessReadWriteLock(frameworks.get(client), PATH + "-read-write");
            return new CuratorTurn(lock.readLock(), lock.writeLock());
        }
        if (kind == LockKind.SEMAPHORE) {
            return new PermitTurn(
                    new InterProcessSemaphoreV2(frameworks.get(client), PATH + "-permits", LockKind.PERMITS));
        }
        return new CuratorTurn(mutexes.get(client), mutexes.get(client));
    }

    @Override
    public List<LockTurn> turns() {
        return turns;
    }

    @Override
    public int inLine() throws Exception {
        return mutexes.get(0).getParticipantNodes().size();
    }

    @Override
    public void settle() {}

    @Override
    public void close() {
        frameworks.forEach(CuratorFramework::close);
    }

    private static final class CuratorTurn implements LockTurn {

        private final InterProcessMutex shared;
        private final InterProcessMutex exclusive;
        private InterProcessMutex taken;

        CuratorTurn(InterProcessMutex shared, InterProcessMutex exclusive) {
            this.shared = shared;
            this.exclusive = exclusive;
            this.taken = exclusive;
        }

        @Override
        public void take(boolean withOthers) throws Exception {
            taken = withOthers ? shared : exclusive;
            taken.acquire();
        }

        @Override
        public void give() throws Exception {
            taken.release();
        }
    }

    private static final class PermitTurn implements LockTurn {

        private final InterProcessSemaphoreV2 semaphore;
        private @Nullable Lease lease;

        PermitTurn(InterProcessSemaphoreV2 semaphore) {
            this.semaphore = semaphore;
        }

        @Override
        public void take(boolean shared) throws Exception {
            lease = semaphore.acquire();
        }

        @Override
        public void give() {
            semaphore.returnLease(lease);
        }
    }
}
