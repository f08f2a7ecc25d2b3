package io.baton.zookeeper;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Secret;
import io.baton.spi.Store;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Real servers that hang up on clients without credentials. They read that from this JVM's properties as they start. */
@Timeout(90)
@Isolated
class EnforcedAuthenticationIT {

    private static final String ENABLED = "zookeeper.enforce.auth.enabled";
    private static final String SCHEMES = "zookeeper.enforce.auth.schemes";

    @AfterEach
    void allow() {
        System.clearProperty(ENABLED);
        System.clearProperty(SCHEMES);
    }

    private static void enforce() {
        System.setProperty(ENABLED, "true");
        System.setProperty(SCHEMES, "digest");
    }

    @Test
    void connect_withoutCredentials_saysSoAtOnce() {
        enforce();
        try (LocalZooKeeper server = LocalZooKeeper.start()) {
            assertThatThrownBy(() -> Coordinator.connect(server.uri("app")))
                    .isInstanceOf(CoordinationException.class)
                    .hasMessageContaining("cannot work in /app")
                    .hasMessageContaining("have not authenticated");
        }
    }

    @Test
    void connect_withCredentials_works() throws Exception {
        enforce();
        try (LocalZooKeeper server = LocalZooKeeper.start();
                Coordinator baton = Coordinator.connect(withCredentials(server), CoordinatorOptions.defaults())) {
            baton.lock("orders").acquire().close();
        }
    }

    @Test
    void trouble_serverBeginsToAskForCredentials_saysSo() throws Exception {
        try (LocalZooKeeper server = LocalZooKeeper.start();
                Coordinator baton = Coordinator.connect(server.uri("app"))) {
            enforce();
            server.restart();
            await().atMost(60, SECONDS)
                    .untilAsserted(() -> assertThat(baton.trouble())
                            .anySatisfy(
                                    trouble -> assertThat(trouble.toString()).contains("have not authenticated")));

            allow();
            server.restart();
            assertThat(baton.lock("orders").tryAcquire(Duration.ofSeconds(30))).isPresent();
        }
    }

    private static Store withCredentials(LocalZooKeeper server) {
        return ZooKeeperStore.builder(server.uri("app"))
                .digest("app", Secret.of("swordfish"))
                .build();
    }
}
