package io.baton.cli.leader;

import io.baton.cli.TestStore;
import org.junit.jupiter.api.Tag;

/** The same on etcd. */
@Tag("etcd")
@Tag("long")
class EtcdLeaderCommandIT extends LeaderCommandIT {

    @Override
    TestStore start() {
        return TestStore.etcd();
    }

    @Override
    String nowhere() {
        return "etcd://127.0.0.1:1/app";
    }
}
