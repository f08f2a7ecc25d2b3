package io.baton.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.MultiHold;
import io.baton.Secret;
import io.baton.spi.Claim;
import io.baton.spi.Store;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Credentials and access lists, on a real server. */
@Timeout(90)
class AccessIT {

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    private static final String SECRET = "swordfish";

    @TempDir
    Path directory;

    private ZooKeeper operator;
    private String root;

    @BeforeEach
    void connectOperator() throws Exception {
        var connected = new CountDownLatch(1);
        operator = new ZooKeeper(zookeeper.server().connectString(), 10_000, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        connected.await();
        root = "/" + zookeeper.chroot().replaceFirst("^/", "");
    }

    @AfterEach
    void closeOperator() throws Exception {
        operator.close();
    }

    @Test
    void acquire_sameCredentials_excludeEachOtherAndNobodyElseMayTouch() throws Exception {
        try (Coordinator one = connect(as("app", SECRET));
                Coordinator two = connect(as("app", SECRET))) {
            Hold first = one.lock("orders").acquire();
            var second = two.lock("orders").acquireAsync();
            one.records("config").put("key", new byte[1]);
            Hold writer = one.readWriteLock("orders").write().acquire();
            Hold permits = one.semaphore("orders", 3).acquire(2);
            await().atMost(30, SECONDS).until(() -> two.lock("orders").queue().size() == 2);
            assertThat(second).isNotDone();

            operator.addAuthInfo("digest", ("app:" + SECRET).getBytes(UTF_8));
            var paths = new ArrayList<>(List.of(root, root + "/config", root + "/config/key"));
            for (String line : List.of("/locks/orders", "/rwlocks/orders", "/baton.permits/orders")) {
                paths.add(root + line);
                operator.getChildren(root + line, false).forEach(entry -> paths.add(root + line + "/" + entry));
            }
            assertThat(paths).hasSize(3 + 3 + 4);
            for (String path : paths) {
                assertThat(operator.getACL(path, null)).as(path).singleElement().satisfies(acl -> {
                    assertThat(acl.getPerms()).isEqualTo(Perms.ALL);
                    assertThat(acl.getId().getScheme()).isEqualTo("digest");
                    assertThat(acl.getId().getId()).startsWith("app:").doesNotContain(SECRET);
                });
            }
            permits.close();
            writer.close();
            first.close();
            second.get(30, SECONDS).close();
        }
    }

    @Test
    void connect_fileNamedInTheUri_bringsTheCredentials() throws Exception {
        Path config =
                Files.writeString(directory.resolve("zk.properties"), "digest.user=app\ndigest.password=" + SECRET);
        connect(as("app", SECRET)).close();

        try (Coordinator baton = Coordinator.connect(zookeeper.uri() + "&config=" + config)) {
            baton.lock("orders").acquire().close();
        }
    }

    @Test
    void connect_wrongOrNoCredentials_saysSoAtOnce() throws Exception {
        connect(as("app", SECRET)).close();

        assertThatThrownBy(() -> connect(as("app", "wrong-secret")))
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("cannot work in " + root)
                .hasMessageContaining("credentials are missing or wrong")
                .hasMessageNotContaining("wrong-secret");
        assertThatThrownBy(() -> Coordinator.connect(zookeeper.uri()))
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("credentials are missing or wrong");
    }

    @Test
    void connect_chrootMissing_isMadeUnlessForbidden() throws Exception {
        assertThatThrownBy(() -> Coordinator.connect(zookeeper.uri() + "&create=no"))
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("there is no " + root)
                .hasMessageContaining("create=no");
        assertThat(operator.exists(root, false)).isNull();

        Coordinator.connect(zookeeper.uri()).close();
        try (Coordinator baton = Coordinator.connect(zookeeper.uri() + "&create=no")) {
            baton.lock("orders").acquire().close();
        }
    }

    /** Only the chroot is not made, however short the other path is. */
    @Test
    void acquire_atAPathBesideAChrootThatIsNotMade_makesThePath() throws Exception {
        Coordinator.connect(zookeeper.uri()).close();
        try (Coordinator baton = Coordinator.connect(zookeeper.uri() + "&create=no")) {
            DistributedLock lock = baton.lockAt("/q/l", ZooKeeperDialects.CURATOR);

            assertThat(lock.tryAcquire(Duration.ofSeconds(20))).isPresent();
        }
    }

    @Test
    void releaseAsync_lineForbidsIt_saysSoAndTheEntryGoesOnceItIsAllowed() throws Exception {
        makeRoot();
        try (Coordinator baton = Coordinator.connect(zookeeper.uri())) {
            Hold hold = baton.lock("orders").acquire();
            String line = root + "/locks/orders";
            operator.setACL(line, Arrays.asList(new ACL(Perms.ALL & ~Perms.DELETE, Ids.ANYONE_ID_UNSAFE)), -1);

            assertThatThrownBy(() -> hold.releaseAsync().get(30, SECONDS))
                    .hasMessageContaining("has not confirmed the release")
                    .hasRootCauseInstanceOf(KeeperException.NoAuthException.class);

            operator.setACL(line, Ids.OPEN_ACL_UNSAFE, -1);
            await().atMost(60, SECONDS).until(() -> baton.lock("orders").queue().isEmpty());
        }
    }

    @Test
    void close_oneOfSeveralLocksForbidsIt_releasesTheOthersAndItOnceItIsAllowed() throws Exception {
        makeRoot();
        try (Coordinator baton = Coordinator.connect(zookeeper.uri())) {
            MultiHold all = baton.multiLock(List.of("a", "b", "c")).acquire();
            String line = root + "/locks/b";
            operator.setACL(line, Arrays.asList(new ACL(Perms.ALL & ~Perms.DELETE, Ids.ANYONE_ID_UNSAFE)), -1);

            assertThatThrownBy(() -> all.releaseAsync().get(30, SECONDS))
                    .hasMessageContaining("has not confirmed the release")
                    .hasRootCauseInstanceOf(KeeperException.NoAuthException.class);

            for (String other : List.of("a", "c")) {
                await().atMost(30, SECONDS)
                        .until(() -> baton.lock(other).queue().isEmpty());
            }
            assertThat(baton.lock("b").queue()).hasSize(1);
            operator.setACL(line, Ids.OPEN_ACL_UNSAFE, -1);
            await().atMost(60, SECONDS).until(() -> baton.lock("b").queue().isEmpty());
        }
    }

    @Test
    void acquire_mayNeitherListTheLineNorRemoveTheEntry_saysTheFirstAndTheEntryGoesOnceItIsAllowed() throws Exception {
        makeRoot();
        String line = root + "/locks/orders";
        var joinOnly = Arrays.asList(new ACL(Perms.CREATE | Perms.ADMIN, Ids.ANYONE_ID_UNSAFE));
        operator.create(line, new byte[0], joinOnly, CreateMode.PERSISTENT);
        try (Coordinator baton = Coordinator.connect(zookeeper.uri())) {
            assertThatThrownBy(() -> baton.lock("orders").acquire())
                    .isInstanceOf(CoordinationException.class)
                    .hasMessageContaining("cannot list locks/orders")
                    .hasMessageContaining("credentials are missing or wrong");

            operator.setACL(line, Ids.OPEN_ACL_UNSAFE, -1);
            await().atMost(60, SECONDS)
                    .until(() -> operator.getChildren(line, false).isEmpty());
        }
    }

    @Test
    void acquire_lineWithAnotherAcl_failsOnceAndClearly() throws Exception {
        makeRoot();
        try (Coordinator open = Coordinator.connect(zookeeper.uri());
                Hold held = open.lock("orders").acquire();
                Coordinator restricted = connect(as("app", SECRET))) {
            assertThatThrownBy(() -> restricted.lock("orders").acquire())
                    .isInstanceOf(CoordinationException.class)
                    .hasMessageContaining("cannot stand in locks/orders")
                    .hasMessageContaining("world:anyone:cdrwa, not digest:app:cdrwa");
            await().atMost(30, SECONDS).until(() -> open.lock("orders").queue().size() == 1);
            assertThat(held.remaining()).isPositive();
        }
    }

    @Test
    void acquire_lineOfOtherCredentials_failsOnceAndClearly() throws Exception {
        makeRoot();
        try (Coordinator one = connect(as("app", SECRET));
                Hold held = one.lock("orders").acquire();
                Coordinator other = connect(as("other", SECRET));
                Coordinator nobody = Coordinator.connect(zookeeper.uri())) {
            for (Coordinator refused : List.of(other, nobody)) {
                assertThatThrownBy(() -> refused.lock("orders").acquire())
                        .isInstanceOf(CoordinationException.class)
                        .hasMessageContaining("cannot join locks/orders");
            }
            assertThat(held.remaining()).isPositive();
        }
    }

    @Test
    void acquire_lineCannotBeMade_saysSoAtOnce() throws Exception {
        operator.create(root, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        operator.create(root + "/locks", new byte[0], Ids.READ_ACL_UNSAFE, CreateMode.PERSISTENT);

        try (Coordinator baton = Coordinator.connect(zookeeper.uri())) {
            assertThatThrownBy(() -> baton.lock("orders").acquire())
                    .isInstanceOf(CoordinationException.class)
                    .hasMessageContaining("credentials are missing or wrong");
        }
    }

    @Test
    void acquire_nodeAboveTheLineCannotBeMade_saysSoAtOnce() throws Exception {
        operator.create(root, new byte[0], Ids.READ_ACL_UNSAFE, CreateMode.PERSISTENT);

        try (Coordinator baton = Coordinator.connect(zookeeper.uri())) {
            assertThatThrownBy(() -> baton.lock("orders").tryAcquire(Duration.ofSeconds(5)))
                    .isInstanceOf(CoordinationException.class)
                    .hasMessageContaining("credentials are missing or wrong");
        }
    }

    @Test
    void acquire_belowAnEphemeralNode_saysSoAtOnce() throws Exception {
        makeRoot();
        operator.create(root + "/worker", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);

        try (Coordinator baton = Coordinator.connect(zookeeper.uri())) {
            for (String path : List.of("/worker/line", "/worker/lines/line")) {
                DistributedLock lock = baton.lockAt(root + path, ZooKeeperDialects.CURATOR);
                assertThatThrownBy(() -> lock.tryAcquire(Duration.ofSeconds(5)))
                        .isInstanceOf(CoordinationException.class)
                        .hasMessageContaining("NoChildrenForEphemerals");
            }
        }
    }

    @Test
    void acquire_chrootHasGoneAndIsNotMade_saysSoAtOnce() throws Exception {
        Coordinator.connect(zookeeper.uri()).close();
        try (Coordinator baton = Coordinator.connect(zookeeper.uri() + "&create=no")) {
            operator.delete(root, -1);

            assertThatThrownBy(() -> baton.lock("orders").tryAcquire(Duration.ofSeconds(5)))
                    .isInstanceOf(CoordinationException.class)
                    .hasMessageContaining("NoNode");
            assertThatThrownBy(() -> baton.records("config").put("key", new byte[1]))
                    .isInstanceOf(CoordinationException.class)
                    .hasMessageContaining("NoNode");
        }
    }

    @Test
    void connect_nodeAboveTheChrootCannotBeMade_saysWhy() throws Exception {
        operator.create(root, new byte[0], Ids.READ_ACL_UNSAFE, CreateMode.PERSISTENT);
        String chroot = zookeeper.chroot().replaceFirst("^/", "") + "/team/shop";

        assertThatThrownBy(() -> Coordinator.connect(zookeeper.server().uri(chroot)))
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("cannot work in " + root + "/team/shop")
                .hasMessageContaining("credentials are missing or wrong");
    }

    @Test
    void put_treeCannotBeMade_saysSoAtOnce() throws Exception {
        operator.create(root, new byte[0], Ids.READ_ACL_UNSAFE, CreateMode.PERSISTENT);

        try (Coordinator baton = Coordinator.connect(zookeeper.uri())) {
            assertThatThrownBy(() -> baton.records("config").put("key", new byte[1]))
                    .isInstanceOf(CoordinationException.class)
                    .hasMessageContaining("credentials are missing or wrong");
        }
    }

    @Test
    void acquire_entryAheadThatMayNotBeRead_failsInsteadOfWaitingForAnEventThatNeverComes() throws Exception {
        try (Coordinator baton = Coordinator.connect(zookeeper.uri())) {
            baton.lock("orders").acquire().close();
            var theirs = Arrays.asList(new ACL(Perms.ALL, new Id("digest", "other:hash")));
            String ahead = root + "/locks/orders/" + Naming.CURATOR.prefix(UUID.randomUUID(), Claim.EXCLUSIVE);
            operator.create(ahead, new byte[0], theirs, CreateMode.EPHEMERAL_SEQUENTIAL);

            assertThatThrownBy(() -> baton.lock("orders").acquire())
                    .isInstanceOf(CoordinationException.class)
                    .hasMessageContaining("cannot wait in locks/orders")
                    .hasMessageContaining("credentials are missing or wrong");
            await().atMost(30, SECONDS)
                    .until(() ->
                            operator.getChildren(root + "/locks/orders", false).size() == 1);
        }
    }

    /** A chroot that everybody may use. */
    private void makeRoot() throws Exception {
        operator.create(root, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        operator.create(root + "/locks", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }

    private static Store as(String user, String password) {
        return ZooKeeperStore.builder(zookeeper.uri())
                .digest(user, Secret.of(password))
                .build();
    }

    private static Coordinator connect(Store store) throws InterruptedException {
        return Coordinator.connect(store, CoordinatorOptions.defaults());
    }
}
