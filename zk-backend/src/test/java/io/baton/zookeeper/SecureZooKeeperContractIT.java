package io.baton.zookeeper;

import io.baton.tck.StoreContract;
import io.baton.tck.StoreUnderTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of a store, with TLS, credentials and ACLs. */
@Tag("long")
class SecureZooKeeperContractIT extends StoreContract {

    @RegisterExtension
    static final SecureZooKeeperExtension zookeeper = new SecureZooKeeperExtension();

    @Override
    protected StoreUnderTest store() {
        return new SecureZooKeeperUnderTest(zookeeper);
    }
}
