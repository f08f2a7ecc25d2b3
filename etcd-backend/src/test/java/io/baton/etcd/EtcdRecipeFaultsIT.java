package io.baton.etcd;

import io.baton.tck.RecipeFaultContract;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.etcd.EtcdExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What holds for recipes when the contact is cut at any message, on the newest etcd there is. */
@Tag("etcd")
@Tag("long")
class EtcdRecipeFaultsIT extends RecipeFaultContract {

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.newest();

    @Override
    protected StoreUnderTest store() {
        return new EtcdUnderTest(etcd);
    }
}
