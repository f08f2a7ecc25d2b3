package io.baton.chaos;

import org.junit.jupiter.api.Tag;

@Tag("etcd")
@Tag("long")
class EtcdShortRunIT extends ShortRun {

    EtcdShortRunIT() {
        super(StoreKind.ETCD);
    }
}
