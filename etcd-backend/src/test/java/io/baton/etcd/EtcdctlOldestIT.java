package io.baton.etcd;

import io.baton.testkit.etcd.EtcdExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Baton beside {@code etcdctl lock} of the oldest etcd there is. */
@Tag("long")
class EtcdctlOldestIT extends EtcdctlContract {

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.oldest();

    @Override
    EtcdExtension etcd() {
        return etcd;
    }
}
