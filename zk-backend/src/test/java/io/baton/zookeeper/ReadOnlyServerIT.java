package io.baton.zookeeper;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.SessionState;
import io.baton.spi.Store;
import io.baton.testkit.zookeeper.ZooKeeperEnsemble;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooKeeper.States;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A shared client that may connect to a server without its ensemble, which lets read and knows of no sessions. */
@Timeout(180)
@Tag("long")
class ReadOnlyServerIT {

    private static final int LEFT = 1;

    @Test
    void connect_toAReadOnlyServer_waitsForTheOthersAndThenWorks() throws Exception {
        try (ZooKeeperEnsemble ensemble = readOnlyAlone();
                CuratorFramework client = client(ensemble)) {
            loseOthers(ensemble);
            client.start();
            awaitReadOnly(client);
            List<SessionState> told = new CopyOnWriteArrayList<>();

            try (Coordinator baton = Coordinator.connect(
                    store(ensemble, client),
                    CoordinatorOptions.builder().inBackground(true).build())) {
                baton.onState(told::add);
                restoreOthers(ensemble);

                try (Hold hold =
                        baton.lock("orders").tryAcquire(Duration.ofSeconds(60)).orElseThrow()) {
                    assertThat(hold.state()).isEqualTo(HoldState.HELD);
                }
                assertThat(told).doesNotContain(SessionState.LOST);
            }
        }
    }

    private static ZooKeeperEnsemble readOnlyAlone() throws InterruptedException {
        return ZooKeeperEnsemble.builder()
                .environment(server -> Map.of("JAVA_TOOL_OPTIONS", "-Dreadonlymode.enabled=true"))
                // ZooKeeper 3.9 has read-only servers hang up on everybody otherwise.
                .setting("localSessionsEnabled", "true")
                .setting("localSessionsUpgradingEnabled", "true")
                .start();
    }

    private static CuratorFramework client(ZooKeeperEnsemble ensemble) {
        return CuratorFrameworkFactory.builder()
                .connectString(ensemble.connectString())
                .sessionTimeoutMs(10_000)
                .connectionTimeoutMs(3_000)
                .retryPolicy(new RetryOneTime(100))
                .canBeReadOnly(true)
                .build();
    }

    private static Store store(ZooKeeperEnsemble ensemble, CuratorFramework client) {
        return ZooKeeperStore.using(client)
                .chroot("/app")
                .tick(ensemble.tickTime())
                .build();
    }

    private static void awaitReadOnly(CuratorFramework client) {
        await().atMost(60, SECONDS)
                .ignoreExceptions()
                .until(() -> client.getZookeeperClient().getZooKeeper().getState() == States.CONNECTEDREADONLY);
    }

    private static void loseOthers(ZooKeeperEnsemble ensemble) throws InterruptedException {
        for (int server : ensemble.servers()) {
            if (server != LEFT) {
                ensemble.kill(server);
            }
        }
    }

    private static void restoreOthers(ZooKeeperEnsemble ensemble) throws InterruptedException {
        for (int server : ensemble.servers()) {
            if (server != LEFT) {
                ensemble.restart(server);
            }
        }
        ensemble.awaitServing();
    }
}
