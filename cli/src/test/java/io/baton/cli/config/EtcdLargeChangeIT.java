package io.baton.cli.config;

import io.baton.cli.TestStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same on etcd. */
@Tag("etcd")
class EtcdLargeChangeIT extends LargeChangeIT {

    @Override
    TestStore start() {
        return TestStore.etcd();
    }

    @Test
    @Tag("long")
    @Override
    void rollback_killedInTheMiddle_isCompletedByTheSameCommand() throws Exception {
        super.rollback_killedInTheMiddle_isCompletedByTheSameCommand();
    }
}
