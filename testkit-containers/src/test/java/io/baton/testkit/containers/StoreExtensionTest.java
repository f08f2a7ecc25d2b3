package io.baton.testkit.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.testkit.server.TestServer;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StoreExtensionTest {

    @RegisterExtension
    static final StoreExtension store = StoreExtension.zookeeper();

    @Test
    void zookeeper_itsServerIsOnTheClassPath_runsInThisJvm(TestServer server) {
        assertThat(server).isInstanceOf(LocalZooKeeper.class);
        assertThat(store.uri()).startsWith("zk://127.0.0.1:").contains("/zookeeper_itsserverisontheclasspath_");
    }

    @Test
    void hasZooKeeper_withoutIt_isFalse() {
        assertThat(StoreExtension.hasZooKeeper(ClassLoader.getPlatformClassLoader()))
                .isFalse();
    }
}
