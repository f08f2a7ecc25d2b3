package io.baton.cli.config;

import io.baton.cli.TestStore;
import org.junit.jupiter.api.Tag;

/** The same on etcd. */
@Tag("etcd")
@Tag("long")
class EtcdLargeChangeIT extends LargeChangeIT {

    @Override
    TestStore start() {
        return TestStore.etcd();
    }
}
