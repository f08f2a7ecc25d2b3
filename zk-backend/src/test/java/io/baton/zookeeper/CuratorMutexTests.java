package io.baton.zookeeper;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessLock;
import org.apache.curator.framework.recipes.locks.TestInterProcessMutexBase;
import org.apache.curator.test.compatibility.Timing2;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The tests that Curator publishes for its own locks, on Baton's. Each test has a server and clients of its own. Baton
 * takes part in the sessions of these clients, as the tests end them.
 */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
abstract class CuratorMutexTests extends TestInterProcessMutexBase {

    private final Map<CuratorFramework, Coordinator> coordinators = new ConcurrentHashMap<>();

    /**
     * A lock of Baton's; all of one test are the same lock.
     *
     * @param root the node that the client's namespace is; empty if it has none
     */
    abstract InterProcessLock lock(Coordinator baton, String root);

    /** Where Baton's tree begins. */
    String chroot(String root) {
        return root;
    }

    @Override
    protected final InterProcessLock makeLock(CuratorFramework client) {
        String root = client.getNamespace().isEmpty() ? "" : "/" + client.getNamespace();
        return lock(coordinators.computeIfAbsent(client, shared -> connect(shared, chroot(root))), root);
    }

    @AfterEach
    void closeCoordinators() {
        coordinators.values().forEach(Coordinator::close);
    }

    private static Coordinator connect(CuratorFramework client, String chroot) {
        var store = ZooKeeperStore.using(client)
                .chroot(chroot)
                .tick(Duration.ofMillis(new Timing2().tickTime()))
                .build();
        try {
            // As Curator's locks, which make another node when their session has ended.
            return Coordinator.connect(
                    store, CoordinatorOptions.builder().rejoin(true).build());
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
