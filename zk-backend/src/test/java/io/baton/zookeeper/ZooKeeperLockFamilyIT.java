package io.baton.zookeeper;

import io.baton.tck.LockFamilyContract;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Read/write locks, semaphores and other locks. */
class ZooKeeperLockFamilyIT extends LockFamilyContract {

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    @Override
    protected StoreUnderTest store() {
        return new ZooKeeperUnderTest(zookeeper, "zk");
    }
}
