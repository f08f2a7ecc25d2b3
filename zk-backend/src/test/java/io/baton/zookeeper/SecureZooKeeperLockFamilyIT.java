package io.baton.zookeeper;

import io.baton.tck.LockFamilyContract;
import io.baton.tck.StoreUnderTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Read/write locks, semaphores and other locks, with TLS, credentials and ACLs. */
@Tag("long")
class SecureZooKeeperLockFamilyIT extends LockFamilyContract {

    @RegisterExtension
    static final SecureZooKeeperExtension zookeeper = new SecureZooKeeperExtension();

    @Override
    protected StoreUnderTest store() {
        return new SecureZooKeeperUnderTest(zookeeper);
    }
}
