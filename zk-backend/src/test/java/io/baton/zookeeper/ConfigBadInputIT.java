package io.baton.zookeeper;

import io.baton.tck.config.BadInputContract;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

class ConfigBadInputIT extends BadInputContract {

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    @Override
    protected String uri() {
        return zookeeper.uri();
    }
}
