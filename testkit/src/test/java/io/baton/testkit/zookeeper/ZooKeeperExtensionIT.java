package io.baton.testkit.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ZooKeeperExtensionIT {

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    private static final Set<String> chroots = new HashSet<>();
    private static final Set<LocalZooKeeper> servers = new HashSet<>();

    @AfterAll
    static void all() {
        assertThat(chroots).hasSize(4);
        assertThat(servers).hasSize(1);
    }

    @Test
    @Order(1)
    void uri_inTest_namesChrootOfItsOwn(LocalZooKeeper server) {
        record(server);
        assertThat(zookeeper.uri()).isEqualTo(server.uri(zookeeper.chroot()));
        assertThat(zookeeper.chroot()).startsWith("/uri_intest_nameschrootofitsown-");
    }

    @Test
    @Order(2)
    void server_stoppedByTest_stopsNow(LocalZooKeeper server) {
        record(server);
        server.stop();
        assertThat(server.isRunning()).isFalse();
    }

    @Test
    @Order(3)
    void server_stoppedByEarlierTest_servesAgain(LocalZooKeeper server) throws Exception {
        record(server);
        try (RawClient client = new RawClient(server.connectString(), Duration.ofSeconds(10))) {
            client.create("/a", CreateMode.EPHEMERAL);
        }
    }

    @Nested
    class Inside {

        @Test
        void server_nestedTest_isTheSame(LocalZooKeeper server) {
            record(server);
            assertThat(server).isSameAs(zookeeper.server());
        }
    }

    @Test
    @Order(4)
    void server_outsideOfTests_isRefused() {
        assertThatThrownBy(() -> new ZooKeeperExtension().server()).isInstanceOf(IllegalStateException.class);
    }

    private static void record(LocalZooKeeper server) {
        chroots.add(zookeeper.chroot());
        servers.add(server);
    }
}
