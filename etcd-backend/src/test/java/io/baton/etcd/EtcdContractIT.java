package io.baton.etcd;

import io.baton.tck.StoreContract;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.etcd.EtcdExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of a store, on the newest etcd there is. */
@Tag("etcd")
class EtcdContractIT extends StoreContract {

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.newest();

    @Override
    protected StoreUnderTest store() {
        return new EtcdUnderTest(etcd);
    }
}
