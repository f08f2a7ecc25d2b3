package io.baton.testkit.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.testkit.zookeeper.SessionProbe;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Needs an engine for containers; see tools/with-engine. */
@Tag("containers")
@Timeout(180)
class ZooKeeperContainerIT {

    @Test
    void uri_ofAStartedContainer_isOneThatBatonConnectsTo() throws InterruptedException {
        try (ZooKeeperContainer zookeeper = new ZooKeeperContainer(MachineImages.zookeeper())) {
            zookeeper.start();
            try (Coordinator baton = Coordinator.connect(zookeeper.uri("shop"));
                    Hold hold = baton.lock("stock").acquire()) {
                assertThat(hold.token()).isPositive();
            }
        }
    }

    @Test
    void start_returned_opensSessions() {
        try (ZooKeeperContainer zookeeper = new ZooKeeperContainer(MachineImages.zookeeper())) {
            zookeeper.start();
            var server = new InetSocketAddress(zookeeper.getHost(), zookeeper.getMappedPort(ZooKeeperContainer.PORT));

            assertThat(SessionProbe.serves(server, 5_000)).isTrue();
        }
    }

    @Test
    void sessions_asLongAsTheSettingsAllow() throws Exception {
        try (ZooKeeperContainer zookeeper = new ZooKeeperContainer(MachineImages.zookeeper())
                .withTickTime(Duration.ofMillis(700))
                .withMaxSessionTimeout(Duration.ofSeconds(90))) {
            zookeeper.start();

            assertThat(zookeeper.uri()).endsWith("?tick=700ms");
            assertThat(granted(zookeeper, Duration.ofMillis(500))).isEqualTo(Duration.ofMillis(1400));
            assertThat(granted(zookeeper, Duration.ofHours(1))).isEqualTo(Duration.ofSeconds(90));
        }
    }

    private static Duration granted(ZooKeeperContainer server, Duration asked) throws Exception {
        try (ZooKeeper client = new ZooKeeper(server.connectString(), (int) asked.toMillis(), event -> {})) {
            await().atMost(Duration.ofSeconds(30)).until(() -> client.getState().isConnected());
            return Duration.ofMillis(client.getSessionTimeout());
        }
    }
}
