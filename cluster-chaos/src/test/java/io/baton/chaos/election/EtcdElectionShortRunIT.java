package io.baton.chaos.election;

import org.junit.jupiter.api.Tag;

@Tag("etcd")
@Tag("long")
class EtcdElectionShortRunIT extends ElectionShortRun {

    EtcdElectionShortRunIT() {
        super(SiteKind.ETCD);
    }
}
