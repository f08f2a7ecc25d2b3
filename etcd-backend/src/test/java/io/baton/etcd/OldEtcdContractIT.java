package io.baton.etcd;

import io.baton.tck.StoreContract;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.etcd.EtcdExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of a store, on the oldest etcd there is. */
@Tag("etcd")
@Tag("long")
class OldEtcdContractIT extends StoreContract {

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.oldest();

    @Override
    protected StoreUnderTest store() {
        return new EtcdUnderTest(etcd);
    }
}
