package io.baton.etcd;

import io.baton.testkit.etcd.EtcdExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On the newest etcd there is. */
class EndedWaiterNewestIT extends EndedWaiterContract {

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.newest();

    @Override
    EtcdExtension etcd() {
        return etcd;
    }
}
