package io.baton.cli;

import io.baton.Dialect;
import org.junit.jupiter.api.Tag;

/** The same on etcd. */
@Tag("etcd")
@Tag("long")
class EtcdQueueCommandIT extends QueueCommandIT {

    @Override
    TestStore start() {
        return TestStore.etcd();
    }

    @Override
    Dialect dialect() {
        return Dialect.BATON;
    }
}
