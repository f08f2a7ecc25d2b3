package io.baton.etcd;

import io.baton.testkit.etcd.EtcdExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On the oldest etcd there is. */
@Tag("long")
class EndedWaiterOldestIT extends EndedWaiterContract {

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.oldest();

    @Override
    EtcdExtension etcd() {
        return etcd;
    }
}
