package io.baton.testkit.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.Fault;
import io.baton.testkit.proxy.Moment;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.proxy.Trigger;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ZooKeeperFramingIT {

    private static final byte[] EMPTY = {};

    private LocalZooKeeper server;
    private TcpProxy proxy;

    @BeforeEach
    void start() {
        server = LocalZooKeeper.start();
        proxy = TcpProxy.to(server.address(), new ZooKeeperFraming());
    }

    @AfterEach
    void close() {
        proxy.close();
        server.close();
    }

    @Test
    void name_requestsAndAnswers_areCalledAsTheServerCallsThem() throws Exception {
        List<String> asked = names(Direction.TO_SERVER);
        List<String> answered = names(Direction.TO_CLIENT);
        try (ZooKeeper client = connect()) {
            client.create("/a", EMPTY, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT, new Stat());
            client.getData("/a", true, null);
            client.multi(List.of(Op.check("/a", -1), Op.setData("/a", EMPTY, -1), Op.check("/a", -1)));
            assertThatThrownBy(() -> client.delete("/none", -1)).isInstanceOf(KeeperException.NoNodeException.class);
        }

        assertThat(asked)
                .containsExactly("connect", "create2", "getData", "multi(check, setData)", "delete", "closeSession");
        assertThat(answered)
                .containsExactly(
                        "connect", "create2", "getData", "event", "multi(check, setData)", "delete", "closeSession");
    }

    @Test
    void at_cutBeforeTheAnswerToAMulti_itIsAppliedAndTheClientDoesNotKnow() throws Exception {
        try (ZooKeeper client = connect();
                ZooKeeper other = connect()) {
            client.create("/a", EMPTY, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            Trigger lost =
                    proxy.faults().at(Direction.TO_CLIENT, 1, "multi(setData)"::equals, Moment.BEFORE, Fault.cut());

            assertThatThrownBy(() -> client.multi(List.of(Op.setData("/a", new byte[] {1}, 0))))
                    .isInstanceOf(KeeperException.ConnectionLossException.class);

            assertThat(lost.message()).contains("multi(setData)");
            assertThat(other.getData("/a", false, null)).containsExactly(1);
        }
    }

    @Test
    void at_cutBeforeARequest_itIsNotAppliedAndTheSessionGoesOn() throws Exception {
        try (ZooKeeper client = connect()) {
            proxy.faults().at(Direction.TO_SERVER, 1, "create2"::equals, Moment.BEFORE, Fault.cut());

            assertThatThrownBy(() -> client.create("/a", EMPTY, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT, new Stat()))
                    .isInstanceOf(KeeperException.ConnectionLossException.class);

            await().ignoreExceptions().until(() -> client.exists("/a", false) == null);
        }
    }

    /** Collects the names of all messages in one direction, pings aside. */
    private List<String> names(Direction direction) {
        List<String> names = new CopyOnWriteArrayList<>();
        proxy.faults()
                .at(
                        direction,
                        1,
                        name -> {
                            if (!name.equals("ping")) {
                                names.add(name);
                            }
                            return false;
                        },
                        Moment.BEFORE,
                        Fault.hold());
        return names;
    }

    private ZooKeeper connect() throws Exception {
        var connected = new CountDownLatch(1);
        ZooKeeper client = new ZooKeeper("127.0.0.1:" + proxy.port(), 10_000, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        connected.await();
        return client;
    }
}
