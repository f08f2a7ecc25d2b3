package io.baton.zookeeper;

import io.baton.tck.FaultContract;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What holds when the contact is cut at any message. */
class ZooKeeperFaultsIT extends FaultContract {

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    @Override
    protected StoreUnderTest store() {
        return new ZooKeeperUnderTest(zookeeper, "zk");
    }
}
