package io.baton.zookeeper;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.DistributedLock;
import io.baton.HoldState;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A line whose listing does not fit into an answer: it is refused, and nothing else of the coordinator notices. */
@Timeout(120)
class LongLineIT {

    private static final int TOO_MANY = 20_000;
    private static final int BATCH = 1_000;
    private static final String LINE = "long";
    private static final Duration HALF = CoordinatorOptions.defaults().ttl().dividedBy(2);

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    private ZooKeeper raw;
    private String root;

    @BeforeEach
    void connectRaw() throws Exception {
        root = "/" + zookeeper.chroot().replaceFirst("^/", "");
        var connected = new CountDownLatch(1);
        raw = new ZooKeeper(zookeeper.server().connectString(), 30_000, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        assertThat(connected.await(30, SECONDS)).isTrue();
    }

    @AfterEach
    void closeRaw() throws Exception {
        raw.close();
    }

    @Test
    void join_tooLong_isRefusedAndAHoldBesideItNoticesNothing() throws Exception {
        fill(path());
        try (Coordinator baton = Coordinator.connect(zookeeper.uri());
                QuietHold quiet = new QuietHold(baton)) {
            assertRefused(baton);
            assertThat(quiet.worst()).isEqualTo(HoldState.HELD);
            assertThat(quiet.least()).isGreaterThan(HALF);
        }
    }

    @Test
    @Tag("long")
    void join_tooLongOnASharedClient_isRefusedAndAHoldBesideItNoticesNothing() throws Exception {
        fill(path());
        try (CuratorFramework client = curator()) {
            try (Coordinator baton = Coordinator.connect(
                            ZooKeeperStore.using(client)
                                    .chroot(root)
                                    .tick(zookeeper.server().tickTime())
                                    .build(),
                            CoordinatorOptions.defaults());
                    QuietHold quiet = new QuietHold(baton)) {
                assertRefused(baton);
                assertThat(quiet.worst()).isEqualTo(HoldState.HELD);
                assertThat(quiet.least()).isGreaterThan(HALF);
            }
        }
    }

    @Test
    @Tag("long")
    void join_grewSinceTheLastLook_isRefusedAndAHoldBesideItIsNotLost() throws Exception {
        try (Coordinator baton = Coordinator.connect(zookeeper.uri());
                QuietHold quiet = new QuietHold(baton)) {
            baton.lock(LINE).acquire().close();
            fill(path());

            assertThatThrownBy(() -> baton.lock(LINE).acquire())
                    .isInstanceOf(CoordinationException.class)
                    .hasMessageContaining("jute.maxbuffer");
            assertThat(quiet.worst()).isLessThan(HoldState.LOST);
            assertThat(quiet.least()).isGreaterThan(HALF);
            await().atMost(30, SECONDS).until(() -> children() == TOO_MANY);
        }
    }

    @Test
    void wait_lineGrowsTooLongBehind_isGrantedInTurn() throws Exception {
        try (Coordinator baton = Coordinator.connect(zookeeper.uri());
                QuietHold quiet = new QuietHold(baton)) {
            var first = baton.lock(LINE).acquire();
            var second = baton.lock(LINE).acquireAsync();
            await().atMost(30, SECONDS).until(() -> children() == 2);
            baton.lock(LINE).queue();
            fill(path());

            first.close();

            assertThat(second.get(30, SECONDS).remaining()).isPositive();
            assertThat(quiet.worst()).isEqualTo(HoldState.HELD);
            second.get().close();
        }
    }

    private void assertRefused(Coordinator baton) throws Exception {
        DistributedLock lock = baton.lock(LINE);
        assertThatThrownBy(lock::acquire)
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining(TOO_MANY + " entries")
                .hasMessageContaining("jute.maxbuffer");
        assertThatThrownBy(lock::queue)
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining(TOO_MANY + " entries")
                .hasMessageContaining("jute.maxbuffer");
        // Whatever stands there, the lock is taken; at a path of its own there may be other things than contenders.
        assertThat(lock.tryAcquire()).isEmpty();
        assertThatThrownBy(() -> baton.lockAt(path(), ZooKeeperDialects.CURATOR).tryAcquire())
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("jute.maxbuffer");
        assertThat(children()).isEqualTo(TOO_MANY);
    }

    private void fill(String path) throws Exception {
        for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            create(path.substring(0, slash));
        }
        create(path);
        for (int made = 0; made < TOO_MANY; made += BATCH) {
            List<Op> batch = new ArrayList<>();
            for (int i = 0; i < BATCH; i++) {
                String entry = path + "/_c_" + UUID.randomUUID() + "-lock-";
                batch.add(Op.create(entry, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL));
            }
            raw.multi(batch);
        }
    }

    private void create(String path) throws Exception {
        try {
            raw.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        } catch (KeeperException.NodeExistsException there) {
            assertThat(there.getPath()).isEqualTo(path);
        }
    }

    private int children() throws Exception {
        return raw.exists(path(), false).getNumChildren();
    }

    private String path() {
        return root + "/locks/" + LINE;
    }

    private static CuratorFramework curator() throws InterruptedException {
        CuratorFramework client = CuratorFrameworkFactory.newClient(
                zookeeper.server().connectString(),
                (int) CoordinatorOptions.defaults().ttl().toMillis(),
                3_000,
                new RetryOneTime(100));
        client.start();
        client.blockUntilConnected();
        return client;
    }
}
