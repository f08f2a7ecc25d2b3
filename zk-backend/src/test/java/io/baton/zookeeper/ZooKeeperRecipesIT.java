package io.baton.zookeeper;

import io.baton.tck.RecipeContract;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What recipes promise. */
class ZooKeeperRecipesIT extends RecipeContract {

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    @Override
    protected StoreUnderTest store() {
        return new ZooKeeperUnderTest(zookeeper, "zk");
    }
}
