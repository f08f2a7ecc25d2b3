package io.baton.zookeeper;

import io.baton.Coordinator;
import org.apache.curator.framework.recipes.locks.InterProcessLock;

/** All of them, as they are, on a lock as a view that is re-entrant per thread, as {@code InterProcessMutex} is. */
class CuratorMutexTestsIT extends CuratorMutexTests {

    /** The lock's own node, which they look for; they would not see it below a parent, which Baton keeps. */
    @Override
    InterProcessLock lock(Coordinator baton, String root) {
        var lock = baton.lockAt(root + LOCK_BASE_PATH, ZooKeeperDialects.CURATOR);
        return new ViewAsCuratorLock(lock.asLock());
    }
}
