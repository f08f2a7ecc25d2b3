package io.baton.etcd;

import io.baton.testkit.etcd.EtcdBinaries;
import org.junit.jupiter.api.Tag;

/** As {@link LeaderFaults}, on the oldest etcd there is. */
@Tag("etcd")
@Tag("long")
class OldEtcdClusterFaultsIT extends LeaderFaults {

    OldEtcdClusterFaultsIT() {
        super(EtcdBinaries.oldest());
    }
}
