package io.baton.zookeeper;

import io.baton.tck.RecipeFaultContract;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What holds for recipes when the contact is cut at any message. */
@Tag("long")
class ZooKeeperRecipeFaultsIT extends RecipeFaultContract {

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    @Override
    protected StoreUnderTest store() {
        return new ZooKeeperUnderTest(zookeeper, "zk");
    }
}
