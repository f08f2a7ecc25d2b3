package io.baton.cli.latch;

import io.baton.cli.TestStore;
import org.junit.jupiter.api.Tag;

/** The same on etcd. */
@Tag("etcd")
@Tag("long")
class EtcdLatchCommandIT extends LatchCommandIT {

    @Override
    TestStore start() {
        return TestStore.etcd();
    }
}
