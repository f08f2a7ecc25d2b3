package io.baton.zookeeper;

import io.baton.tck.RecipeContract;
import io.baton.tck.StoreUnderTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What recipes promise, with TLS, credentials and ACLs. */
@Tag("long")
class SecureZooKeeperRecipesIT extends RecipeContract {

    @RegisterExtension
    static final SecureZooKeeperExtension zookeeper = new SecureZooKeeperExtension();

    @Override
    protected StoreUnderTest store() {
        return new SecureZooKeeperUnderTest(zookeeper);
    }
}
