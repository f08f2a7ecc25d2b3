package io.baton.etcd;

import io.baton.Coordinator;
import io.baton.tck.ClaimRequestsContract;
import io.baton.testkit.etcd.EtcdExtension;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("etcd")
@Tag("long")
class ClaimRequestsIT extends ClaimRequestsContract {

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.newest();

    @Override
    protected Coordinator connect() throws InterruptedException {
        return Coordinator.connect(etcd.uri());
    }

    @Override
    protected Map<String, Long> requests() {
        return etcd.server().requests();
    }

    @Override
    protected Set<String> liveness() {
        return Set.of("Lease/LeaseKeepAlive");
    }
}
