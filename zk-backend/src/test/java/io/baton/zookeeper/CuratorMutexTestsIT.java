package io.baton.zookeeper;

import io.baton.Coordinator;
import org.apache.curator.framework.recipes.locks.InterProcessLock;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

/** All of them, as they are, on a lock as a view that is re-entrant per thread, as {@code InterProcessMutex} is. */
class CuratorMutexTestsIT extends CuratorMutexTests {

    private static final int ATTEMPTS = 3;

    /** The lock's own node, which they look for; they would not see it below a parent, which Baton keeps. */
    @Override
    InterProcessLock lock(Coordinator baton, String root) {
        var lock = baton.lockAt(root + LOCK_BASE_PATH, ZooKeeperDialects.CURATOR);
        return new ViewAsCuratorLock(lock.asLock());
    }

    /**
     * One thread waits ten seconds for the lock, and the holder as long for that one to give up. On a busy machine the
     * first may begin so late that it is granted after the release, as is right. Then the test fails, and is made again.
     */
    @Test
    @Override
    public void testReentrant2Threads() throws Exception {
        for (int attempt = 1; true; attempt++) {
            try {
                super.testReentrant2Threads();
                return;
            } catch (AssertionFailedError failed) {
                if (attempt == ATTEMPTS) {
                    throw failed;
                }
            }
        }
    }
}
