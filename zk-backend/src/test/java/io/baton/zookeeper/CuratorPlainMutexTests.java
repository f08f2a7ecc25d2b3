package io.baton.zookeeper;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessLock;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZKUtil;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

/** On locks by name, which are not re-entrant. */
abstract class CuratorPlainMutexTests extends CuratorMutexTests {

    /** All the nodes that stay when the locks have gone. */
    abstract List<String> kept();

    abstract InterProcessLock lock(Coordinator baton);

    @Override
    final InterProcessLock lock(Coordinator baton, String root) {
        return lock(baton);
    }

    @Override
    final String chroot(String root) {
        return root + LOCK_BASE_PATH;
    }

    /** Curator's tree goes with the last lock in it, and Baton's stays. Its locks go in both. */
    @Test
    @Override
    public void testContainerCleanup() throws Exception {
        assertThatThrownBy(super::testContainerCleanup).isInstanceOf(AssertionFailedError.class);

        try (CuratorFramework client = started()) {
            assertThat(ZKUtil.listSubTreeBFS(client.getZookeeperClient().getZooKeeper(), LOCK_BASE_PATH))
                    .containsExactlyInAnyOrderElementsOf(kept());
        }
    }

    /** A thread that holds does not get it again. */
    @Test
    @Override
    public void testReentrant() throws Exception {
        try (CuratorFramework client = started()) {
            InterProcessLock mutex = makeLock(client);
            mutex.acquire();

            assertThat(mutex.acquire(200, MILLISECONDS)).isFalse();

            mutex.release();
            assertThat(mutex.isAcquiredInThisProcess()).isFalse();
        }
    }

    /** Neither does another thread, until the one hold there is has been released. */
    @Test
    @Override
    public void testReentrant2Threads() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try (CuratorFramework client = started()) {
            InterProcessLock mutex = makeLock(client);
            mutex.acquire();

            assertThat(other.submit(() -> mutex.acquire(200, MILLISECONDS)).get(30, SECONDS))
                    .isFalse();
            mutex.release();
            assertThat(other.submit(() -> mutex.acquire(30, SECONDS)).get(60, SECONDS))
                    .isTrue();
        } finally {
            other.shutdownNow();
        }
    }

    private CuratorFramework started() {
        CuratorFramework client = CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100));
        client.start();
        return client;
    }
}
