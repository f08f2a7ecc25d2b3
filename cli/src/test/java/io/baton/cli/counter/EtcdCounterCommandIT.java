package io.baton.cli.counter;

import io.baton.cli.TestStore;
import org.junit.jupiter.api.Tag;

/** The same on etcd. */
@Tag("etcd")
@Tag("long")
class EtcdCounterCommandIT extends CounterCommandIT {

    @Override
    TestStore start() {
        return TestStore.etcd();
    }
}
