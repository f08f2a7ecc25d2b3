package io.baton.zookeeper;

import io.baton.tck.KilledMemberContract;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

class KilledMemberIT extends KilledMemberContract {

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    @Override
    protected String uri() {
        return zookeeper.uri();
    }
}
