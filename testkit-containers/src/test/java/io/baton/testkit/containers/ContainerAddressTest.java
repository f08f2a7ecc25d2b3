package io.baton.testkit.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ContainerAddressTest {

    private static final int PUBLISHED = 32_768;

    private final EtcdContainer etcd = new EtcdContainer() {

        @Override
        public String getHost() {
            return "engine.example";
        }

        @Override
        public Integer getMappedPort(int port) {
            return PUBLISHED + port;
        }
    };

    private final ZooKeeperContainer zookeeper = new ZooKeeperContainer() {

        @Override
        public String getHost() {
            return "engine.example";
        }

        @Override
        public Integer getMappedPort(int port) {
            return PUBLISHED + port;
        }
    };

    @Test
    void uri_ofEtcd_namesThePublishedPortAndTheRoot() {
        assertThat(etcd.uri()).isEqualTo("etcd://engine.example:35147");
        assertThat(etcd.uri("shop")).isEqualTo("etcd://engine.example:35147/shop");
        assertThat(etcd.uri("/shop")).isEqualTo("etcd://engine.example:35147/shop");
        assertThat(etcd.endpoint()).isEqualTo("http://engine.example:35147");
    }

    @Test
    void uri_ofZooKeeper_namesThePublishedPortTheChrootAndTheTick() {
        assertThat(zookeeper.uri()).isEqualTo("zk://engine.example:34949?tick=200ms");
        assertThat(zookeeper.uri("shop")).isEqualTo("zk://engine.example:34949/shop?tick=200ms");
        assertThat(zookeeper.connectString()).isEqualTo("engine.example:34949");
    }

    @Test
    void uri_withAnotherTick_namesWhatTheServerGets() {
        zookeeper.withTickTime(Duration.ofSeconds(2));
        assertThat(zookeeper.getEnvMap()).containsEntry("ZOO_TICK_TIME", "2000");
        assertThat(zookeeper.uri("shop")).endsWith("?tick=2000ms");

        zookeeper.withEnv("ZOO_TICK_TIME", "500");
        assertThat(zookeeper.uri("shop")).endsWith("?tick=500ms");
    }

    @Test
    void withMaxSessionTimeout_reachesTheServersSettings() {
        assertThat(zookeeper.withMaxSessionTimeout(Duration.ofSeconds(5)).getEnvMap())
                .containsEntry("ZOO_CFG_EXTRA", "maxSessionTimeout=5000");
    }

    @Test
    void withElectionTimeout_setsTheHeartbeatAsWell() {
        assertThat(etcd.withElectionTimeout(Duration.ofMillis(500)).getEnvMap())
                .containsEntry("ETCD_ELECTION_TIMEOUT", "500")
                .containsEntry("ETCD_HEARTBEAT_INTERVAL", "50");
    }

    @Test
    void durations_thatAServerRefuses_areRefusedHere() {
        assertThatThrownBy(() -> etcd.withElectionTimeout(Duration.ofSeconds(51)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT51S");
        assertThatThrownBy(() -> etcd.withElectionTimeout(Duration.ofMillis(9)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> zookeeper.withTickTime(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tickTime");
        assertThatThrownBy(() -> zookeeper.withMaxSessionTimeout(Duration.ofDays(100)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxSessionTimeout");
    }
}
