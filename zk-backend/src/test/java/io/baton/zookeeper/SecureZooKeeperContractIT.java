package io.baton.zookeeper;

import io.baton.tck.StoreContract;
import io.baton.tck.StoreUnderTest;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of a store, with TLS, credentials and ACLs. */
class SecureZooKeeperContractIT extends StoreContract {

    @RegisterExtension
    static final SecureZooKeeperExtension zookeeper = new SecureZooKeeperExtension();

    @Override
    protected StoreUnderTest store() {
        return new SecureZooKeeperUnderTest(zookeeper);
    }
}
