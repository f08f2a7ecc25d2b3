package io.baton.cli.elect;

import io.baton.Dialect;
import io.baton.cli.TestStore;
import org.junit.jupiter.api.Tag;

/** The same on etcd. */
@Tag("etcd")
@Tag("long")
class EtcdElectCommandIT extends ElectCommandIT {

    @Override
    TestStore start() {
        return TestStore.etcd();
    }

    @Override
    Dialect shared() {
        return Dialect.BATON;
    }

    /** As {@code etcdctl elect report} has it. */
    @Override
    String place() {
        return "report";
    }
}
