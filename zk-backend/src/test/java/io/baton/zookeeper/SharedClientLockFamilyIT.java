package io.baton.zookeeper;

import io.baton.tck.LockFamilyContract;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Read/write locks, semaphores and other locks, on a client of Curator's that is there already. */
@Tag("long")
class SharedClientLockFamilyIT extends LockFamilyContract {

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    @Override
    protected StoreUnderTest store() {
        return new ZooKeeperUnderTest(zookeeper, "curator");
    }
}
