package io.baton.etcd;

import io.baton.testkit.etcd.EtcdExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Baton beside {@code etcdctl lock} of the newest etcd there is. */
class EtcdctlNewestIT extends EtcdctlContract {

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.newest();

    @Override
    EtcdExtension etcd() {
        return etcd;
    }
}
