package io.baton.etcd;

import io.baton.tck.RecipeContract;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.etcd.EtcdExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What recipes promise, on the newest etcd there is. */
@Tag("etcd")
@Tag("long")
class EtcdRecipesIT extends RecipeContract {

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.newest();

    @Override
    protected StoreUnderTest store() {
        return new EtcdUnderTest(etcd);
    }
}
