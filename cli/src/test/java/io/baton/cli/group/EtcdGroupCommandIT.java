package io.baton.cli.group;

import io.baton.cli.TestStore;
import org.junit.jupiter.api.Tag;

/** The same on etcd. */
@Tag("etcd")
@Tag("long")
class EtcdGroupCommandIT extends GroupCommandIT {

    @Override
    TestStore start() {
        return TestStore.etcd();
    }
}
