package io.baton.etcd;

import io.baton.testkit.etcd.EtcdExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** With the newest etcd there is. */
class SimEtcdAgreementNewestIT extends SimEtcdAgreementContract {

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.newest();

    @Override
    EtcdExtension etcd() {
        return etcd;
    }

    @Override
    boolean old() {
        return false;
    }
}
