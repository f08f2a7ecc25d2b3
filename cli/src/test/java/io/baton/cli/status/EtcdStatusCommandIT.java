package io.baton.cli.status;

import io.baton.cli.TestStore;
import org.junit.jupiter.api.Tag;

/** The same on etcd. */
@Tag("etcd")
class EtcdStatusCommandIT extends StatusCommandIT {

    @Override
    TestStore start() {
        return TestStore.etcd();
    }

    @Override
    String role() {
        return "leader";
    }
}
