package io.baton.etcd;

import io.baton.testkit.etcd.EtcdExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Elections beside {@code etcdctl elect} of the newest etcd there is. */
class EtcdctlElectNewestIT extends EtcdctlElectContract {

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.newest();

    @Override
    EtcdExtension etcd() {
        return etcd;
    }
}
