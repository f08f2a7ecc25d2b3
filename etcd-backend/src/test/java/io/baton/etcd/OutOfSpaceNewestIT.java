package io.baton.etcd;

import io.baton.testkit.etcd.LocalEtcd;

class OutOfSpaceNewestIT extends OutOfSpaceContract {

    OutOfSpaceNewestIT() {
        super(LocalEtcd.builder());
    }
}
