package io.baton.etcd;

import io.baton.testkit.etcd.LocalEtcd;

class OutOfSpaceOldestIT extends OutOfSpaceContract {

    OutOfSpaceOldestIT() {
        super(LocalEtcd.builder().oldest());
    }
}
