package io.baton.etcd;

import io.baton.testkit.etcd.EtcdExtension;
import io.baton.testkit.tck.StoreContract;
import io.baton.testkit.tck.StoreUnderTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of a store, on the oldest etcd there is. */
@Tag("etcd")
class OldEtcdContractIT extends StoreContract {

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.oldest();

    @Override
    protected StoreUnderTest store() {
        return new EtcdUnderTest(etcd);
    }
}
