package io.baton.etcd;

import io.baton.testkit.etcd.LocalEtcd;
import org.junit.jupiter.api.Tag;

@Tag("long")
class OutOfSpaceOldestIT extends OutOfSpaceContract {

    OutOfSpaceOldestIT() {
        super(LocalEtcd.builder().oldest());
    }
}
