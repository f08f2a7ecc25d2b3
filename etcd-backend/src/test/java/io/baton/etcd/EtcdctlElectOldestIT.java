package io.baton.etcd;

import io.baton.testkit.etcd.EtcdExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Elections beside {@code etcdctl elect} of the oldest etcd there is. */
@Tag("long")
class EtcdctlElectOldestIT extends EtcdctlElectContract {

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.oldest();

    @Override
    EtcdExtension etcd() {
        return etcd;
    }
}
