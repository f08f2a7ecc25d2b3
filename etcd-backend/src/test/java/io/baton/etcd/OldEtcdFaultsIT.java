package io.baton.etcd;

import io.baton.testkit.etcd.EtcdExtension;
import io.baton.testkit.tck.FaultContract;
import io.baton.testkit.tck.StoreUnderTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What holds when the contact is cut at any message, on the oldest etcd there is. */
@Tag("etcd")
@Tag("long")
class OldEtcdFaultsIT extends FaultContract {

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.oldest();

    @Override
    protected StoreUnderTest store() {
        return new EtcdUnderTest(etcd);
    }
}
