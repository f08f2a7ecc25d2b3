package io.baton.zookeeper;

import io.baton.tck.KilledMemberContract;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("long")
class KilledMemberIT extends KilledMemberContract {

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    @Override
    protected String uri() {
        return zookeeper.uri();
    }
}
