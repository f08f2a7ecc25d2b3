package io.baton.examples.ledger;

import io.baton.testkit.etcd.LocalEtcd;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("etcd")
@Tag("long")
class EtcdFailoverIT extends FailoverRun {

    @Test
    void activeKilledFrozenAndTerminated_nothingAcknowledgedIsLost_nothingLateIsStored() throws Exception {
        try (LocalEtcd etcd = LocalEtcd.start()) {
            play("etcd " + etcd.version(), etcd.uri("shop"));
        }
    }
}
