package io.baton.etcd;

import io.baton.tck.LockFamilyContract;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.etcd.EtcdExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Read/write locks, semaphores and other locks, on the oldest etcd there is. */
@Tag("etcd")
@Tag("long")
class OldEtcdLockFamilyIT extends LockFamilyContract {

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.oldest();

    @Override
    protected StoreUnderTest store() {
        return new EtcdUnderTest(etcd);
    }
}
