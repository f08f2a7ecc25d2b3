package io.baton.cli.ls;

import io.baton.cli.TestStore;
import org.junit.jupiter.api.Tag;

/** The same on etcd. */
@Tag("etcd")
@Tag("long")
class EtcdListCommandIT extends ListCommandIT {

    @Override
    TestStore start() {
        return TestStore.etcd();
    }
}
