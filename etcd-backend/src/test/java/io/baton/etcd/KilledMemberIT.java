package io.baton.etcd;

import io.baton.tck.KilledMemberContract;
import io.baton.testkit.etcd.EtcdExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("etcd")
@Tag("long")
class KilledMemberIT extends KilledMemberContract {

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.newest();

    @Override
    protected String uri() {
        return etcd.uri();
    }
}
