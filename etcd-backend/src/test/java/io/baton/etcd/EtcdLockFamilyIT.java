package io.baton.etcd;

import io.baton.tck.LockFamilyContract;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.etcd.EtcdExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Read/write locks, semaphores and other locks, on the newest etcd there is. */
@Tag("etcd")
class EtcdLockFamilyIT extends LockFamilyContract {

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.newest();

    @Override
    protected StoreUnderTest store() {
        return new EtcdUnderTest(etcd);
    }
}
