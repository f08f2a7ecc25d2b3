package io.baton.etcd;

import io.baton.tck.config.BadInputContract;
import io.baton.testkit.etcd.EtcdExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("etcd")
class ConfigBadInputIT extends BadInputContract {

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.newest();

    @Override
    protected String uri() {
        return etcd.uri();
    }
}
