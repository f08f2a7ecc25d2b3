package io.baton.cli.standby;

import io.baton.cli.TestStore;
import org.junit.jupiter.api.Tag;

/** The same on etcd. */
@Tag("etcd")
@Tag("long")
class EtcdStandbyCommandIT extends StandbyCommandIT {

    @Override
    TestStore start() {
        return TestStore.etcd();
    }
}
