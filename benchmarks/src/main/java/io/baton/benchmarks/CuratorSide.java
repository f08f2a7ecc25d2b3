package io.baton.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** Curator: one framework and one mutex per client. A release is always confirmed before it returns. */
final class CuratorSide implements Side {

    private static final int TIMEOUT_MILLIS = 10_000;
    private static final String PATH = "/curator/contended";

    private final List<CuratorFramework> frameworks = new ArrayList<>();
    private final List<InterProcessMutex> mutexes = new ArrayList<>();
    private final List<LockTurn> turns = new ArrayList<>();

    private CuratorSide() {}

    static CuratorSide connect(String servers, int clients, int workers) throws InterruptedException {
        var side = new CuratorSide();
        for (int i = 0; i < clients; i++) {
            CuratorFramework framework = CuratorFrameworkFactory.newClient(
                    servers, TIMEOUT_MILLIS, TIMEOUT_MILLIS, new ExponentialBackoffRetry(100, 3));
            framework.start();
            side.frameworks.add(framework);
            if (!framework.blockUntilConnected(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("Curator does not reach " + servers);
            }
            side.mutexes.add(new InterProcessMutex(framework, PATH));
        }
        for (int i = 0; i < workers; i++) {
            side.turns.add(new CuratorTurn(side.mutexes.get(i % clients)));
        }
        return side;
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

    private record CuratorTurn(InterProcessMutex mutex) implements LockTurn {

        @Override
        public void take() throws Exception {
            mutex.acquire();
        }

        @Override
        public void give() throws Exception {
            mutex.release();
        }
    }
}
