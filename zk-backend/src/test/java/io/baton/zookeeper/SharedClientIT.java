package io.baton.zookeeper;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.SessionState;
import io.baton.StoreUnavailableException;
import io.baton.Telemetry;
import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On a Curator client that a team has already. */
@Timeout(90)
class SharedClientIT {

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    private CuratorFramework client;
    private String root;

    @BeforeEach
    void start() {
        client = started(zookeeper.server().connectString(), 5_000);
        root = "/" + zookeeper.chroot().replaceFirst("^/", "");
    }

    @AfterEach
    void stop() {
        client.close();
    }

    @Test
    void acquire_onASharedClient_opensNoSessionOfItsOwn() throws Exception {
        client.blockUntilConnected();
        long sessions = zookeeper.server().requests("createSession");

        try (Coordinator baton = connect(client);
                Hold hold = baton.lock("orders").acquire()) {
            assertThat(hold.remaining()).isPositive();
            assertThat(client.getChildren().forPath(root + "/locks/orders")).hasSize(1);
        }

        assertThat(zookeeper.server().requests("createSession")).isEqualTo(sessions);
    }

    @Test
    void close_coordinator_takesOursAwayAndLeavesTheClientsOwn() throws Exception {
        var seen = new ConcurrentLinkedQueue<EventType>();
        Coordinator baton = connect(client);
        Coordinator other = connect(client);
        var unused = baton.lock("orders").acquire();
        var waiting = other.lock("orders").acquireAsync();
        await().atMost(30, SECONDS).until(() -> entries("orders").size() == 2);
        client.create().withMode(CreateMode.EPHEMERAL).forPath(root + "/team");
        // On the very node that our waiter watches, too.
        String head = root + "/locks/orders/" + entries("orders").get(0);
        for (String path : List.of(root + "/team", head)) {
            client.getData()
                    .usingWatcher((org.apache.zookeeper.Watcher) event -> seen.add(event.getType()))
                    .forPath(path);
        }

        other.close();
        assertThat(waiting).isCompletedExceptionally();
        assertThat(entries("orders")).hasSize(1);
        baton.close();

        assertThat(entries("orders")).isEmpty();
        assertThat(client.checkExists().forPath(root + "/team")).isNotNull();
        client.delete().forPath(root + "/team");
        await().atMost(30, SECONDS)
                .untilAsserted(() -> assertThat(seen.stream().filter(EventType.NodeDeleted::equals))
                        .hasSize(2));
    }

    @Test
    void close_joinWithoutAnAnswer_leavesNoEntryOnceThereIsContact() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(zookeeper.server().address());
                CuratorFramework distant = started("127.0.0.1:" + proxy.port(), 30_000)) {
            Coordinator baton = connect(distant);
            baton.lock("orders").acquire().close();
            long session = distant.getZookeeperClient().getZooKeeper().getSessionId();
            proxy.hold(Direction.TO_CLIENT);
            var joining = baton.lock("orders").acquireAsync();
            await().atMost(30, SECONDS).until(() -> entries("orders").size() == 1);

            baton.close();
            assertThat(joining).isCompletedExceptionally();
            proxy.cut();
            proxy.release();

            await().atMost(30, SECONDS).until(() -> entries("orders").isEmpty());
            distant.blockUntilConnected();
            assertThat(distant.getZookeeperClient().getZooKeeper().getSessionId())
                    .isEqualTo(session);
        }
    }

    @Test
    void session_expired_goesOnWithTheClientsNextOne() throws Exception {
        try (Coordinator baton = connect(client)) {
            Hold hold = baton.lock("orders").acquire();
            long first = client.getZookeeperClient().getZooKeeper().getSessionId();

            zookeeper.server().expire(first);
            await().atMost(30, SECONDS).until(() -> hold.remaining().isZero());
            try (Hold next = baton.lock("orders").acquire()) {
                assertThat(next.token()).isGreaterThan(hold.token());
                assertThat(client.getZookeeperClient().getZooKeeper().getSessionId())
                        .isNotEqualTo(first);
            }
        }
    }

    /** The server removes the session's entries one by one, in any order, and tells this very client of each. */
    @Test
    void client_closed_waiterBehindAHoldOfTheSameSessionIsNotGranted() throws Exception {
        for (int round = 0; round < 5; round++) {
            CuratorFramework closing = started(zookeeper.server().connectString(), 5_000);
            closing.blockUntilConnected();
            try (Coordinator baton = connect(closing)) {
                Hold hold = baton.lock("orders").acquire();
                // Often enough for the line to be worth following, if that were allowed.
                for (int i = 0; i < 8; i++) {
                    var passing = baton.lock("orders").acquireAsync();
                    await().atMost(30, SECONDS).until(() -> entries("orders").size() == 2);
                    passing.cancel(false);
                    await().atMost(30, SECONDS).until(() -> entries("orders").size() == 1);
                }
                var waiting = baton.lock("orders").acquireAsync();
                await().atMost(30, SECONDS).until(() -> entries("orders").size() == 2);

                closing.close();

                await().atMost(30, SECONDS).until(waiting::isDone);
                assertThat(waiting).isCompletedExceptionally();
                await().atMost(30, SECONDS).until(() -> hold.state() == HoldState.LOST);
            }
        }
    }

    @Test
    void close_serverNeverHearsOfIt_releaseIsNotConfirmed() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(zookeeper.server().address())) {
            var options = CoordinatorOptions.builder()
                    .ttl(Duration.ofSeconds(6))
                    .closeTimeout(Duration.ofSeconds(20))
                    .build();
            Coordinator baton = Coordinator.connect(zookeeper.server().uri(proxy, root), options);
            Hold hold = baton.lock("orders").acquire();
            proxy.hold();
            var released = hold.releaseAsync();

            baton.close();

            assertThat(released).isCompletedExceptionally();
            assertThat(entries("orders")).hasSize(1);
            proxy.release();
        }
    }

    @Test
    void client_closed_losesTheHoldAndSaysWhy() throws Exception {
        try (Coordinator baton = connect(client)) {
            Hold hold = baton.lock("orders").acquire();

            client.close();

            await().atMost(30, SECONDS).until(() -> baton.state() == SessionState.LOST);
            assertThat(hold.remaining()).isZero();
        }
        assertThatThrownBy(() -> connect(client))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("no live session");
    }

    @Test
    void connect_timeoutOfTheClientTooShort_isRefusedWithTheReason() {
        try (CuratorFramework hasty = started(zookeeper.server().connectString(), 500)) {
            assertThatThrownBy(() -> connect(hasty))
                    .isInstanceOf(CoordinationException.class)
                    .hasMessageContaining("the shared session has a timeout of 500 ms");
        }
    }

    @Test
    void connect_clientOfANamespace_worksInTheAbsoluteChroot() throws Exception {
        try (Coordinator baton = connect(client.usingNamespace("team"));
                Hold hold = baton.lock("orders").acquire()) {
            assertThat(hold.remaining()).isPositive();
            assertThat(entries("orders")).hasSize(1);
        }
    }

    @Test
    void acquire_twoClients_excludeEachOther() throws Exception {
        try (Coordinator shared = connect(client);
                Coordinator own = Coordinator.connect(zookeeper.uri())) {
            Hold first = shared.lock("orders").acquire();
            var second = own.lock("orders").acquireAsync();
            await().atMost(30, SECONDS).until(() -> entries("orders").size() == 2);
            assertThat(second).isNotDone();

            first.close();
            assertThat(granted(second).token()).isGreaterThan(first.token());
        }
    }

    private static Hold granted(java.util.concurrent.CompletableFuture<Hold> asked)
            throws InterruptedException, ExecutionException, java.util.concurrent.TimeoutException {
        return asked.get(30, SECONDS);
    }

    /** None if the line has gone, which the last one to leave it has deleted then. */
    private List<String> entries(String lock) throws Exception {
        try {
            return client.getChildren().forPath(root + "/locks/" + lock).stream()
                    .sorted(java.util.Comparator.comparing(name -> name.substring(name.length() - 10)))
                    .toList();
        } catch (NoNodeException gone) {
            return List.of();
        }
    }

    private Coordinator connect(CuratorFramework on) throws InterruptedException {
        var store = ZooKeeperStore.using(on)
                .chroot(root)
                .tick(zookeeper.server().tickTime())
                .build();
        // Listened to, as whoever listens must change nothing.
        return Coordinator.connect(
                store,
                CoordinatorOptions.builder().telemetry(new Telemetry() {}).build());
    }

    private static CuratorFramework started(String hosts, int timeoutMillis) {
        CuratorFramework client = CuratorFrameworkFactory.newClient(hosts, timeoutMillis, 3_000, new RetryOneTime(100));
        client.start();
        return client;
    }
}
