package io.baton.cli.lock;

import io.baton.cli.TestStore;
import org.junit.jupiter.api.Tag;

/** The same on etcd. */
@Tag("etcd")
@Tag("long")
class EtcdLockProcessIT extends LockProcessIT {

    @Override
    TestStore start() {
        return TestStore.etcd();
    }
}
