package io.baton.cli.ask;

import io.baton.cli.TestStore;
import org.junit.jupiter.api.Tag;

/** The same on etcd. */
@Tag("etcd")
@Tag("long")
class EtcdAskCommandIT extends AskCommandIT {

    @Override
    TestStore start() {
        return TestStore.etcd();
    }
}
