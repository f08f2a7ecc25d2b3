package io.baton.zookeeper;

import io.baton.Coordinator;
import io.baton.tck.ClaimRequestsContract;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.extension.RegisterExtension;

class ClaimRequestsIT extends ClaimRequestsContract {

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    @Override
    protected Coordinator connect() throws InterruptedException {
        return Coordinator.connect(zookeeper.uri());
    }

    @Override
    protected Map<String, Long> requests() {
        return zookeeper.server().requests();
    }

    @Override
    protected Set<String> liveness() {
        return Set.of("ping", "multi");
    }
}
