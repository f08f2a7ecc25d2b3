package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.Dialect;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.IncompatibleOptionsException;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two kinds of locks at one path: where neither would respect the other, we do not stand in line at all. */
@Timeout(120)
class WrongDialectIT {

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    private Coordinator baton;

    @BeforeEach
    void connect() throws InterruptedException {
        baton = Coordinator.connect(zookeeper.uri());
    }

    @AfterEach
    void close() {
        baton.close();
    }

    @Test
    void acquire_curatorsEntryInKazoosLine_isRefusedAndLeavesNothing() throws Exception {
        try (CuratorPeer curator = new CuratorPeer(zookeeper.server(), path(), ForeignPeerContract.TTL)) {
            curator.acquire();

            refused(baton.lockAt(path(), ZooKeeperDialects.KAZOO), "a Curator mutex");
            curator.release();
            baton.lockAt(path(), ZooKeeperDialects.KAZOO).acquire().close();
        }
    }

    @Test
    @Tag("kazoo")
    void acquire_kazoosEntryInCuratorsLine_isRefusedAndLeavesNothing() throws Exception {
        try (KazooPeer kazoo = new KazooPeer(zookeeper.server(), path(), ForeignPeerContract.TTL)) {
            kazoo.acquire();

            refused(baton.lockAt(path(), ZooKeeperDialects.CURATOR), "a kazoo Lock");
            kazoo.release();
            baton.lockAt(path(), ZooKeeperDialects.CURATOR).acquire().close();
        }
    }

    /** The documented limit: it is the other side that must look for our names. */
    @Test
    @Tag("kazoo")
    void kazoo_curatorsNamesInItsLine_areSeenOnlyIfItIsToldTo() throws Exception {
        DistributedLock lock = baton.lockAt(path(), ZooKeeperDialects.CURATOR);
        try (Hold hold = lock.acquire()) {
            try (KazooPeer told = new KazooPeer(zookeeper.server(), path(), ForeignPeerContract.TTL, "-lock-")) {
                assertThat(told.tryAcquire()).isFalse();
            }
            try (KazooPeer blind = new KazooPeer(zookeeper.server(), path(), ForeignPeerContract.TTL)) {
                assertThat(blind.tryAcquire()).isTrue();
                assertThat(hold.remaining()).isPositive();
                blind.release();
            }
        }
    }

    @Test
    void lockAt_pathThatCannotBe_isRefusedAtOnce() {
        for (String path : new String[] {"", "/", "relative", "/a//b", "/a/../b", "/a/", "/a/\u0001", "/zookeeper/x"}) {
            assertThatThrownBy(() -> baton.lockAt(path, ZooKeeperDialects.CURATOR))
                    .as(path)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void lockAt_withoutASlashInFront_isToldToHaveOne() {
        assertThatThrownBy(() -> baton.lockAt("report", Dialect.BATON))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a path must begin with '/' on this store, as /legacy/locks/orders: 'report'");
    }

    @Test
    void lockAt_dialectThatZooKeeperDoesNotHave_isRefusedWithThoseThatThereAre() {
        assertThatThrownBy(() -> baton.lockAt(path(), new Dialect("redisson")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "there are no locks of dialect redisson on ZooKeeper, only of baton, curator, curator-latch, kazoo");
    }

    private static void refused(DistributedLock lock, String whom) throws InterruptedException {
        assertThatThrownBy(lock::acquire)
                .isInstanceOf(IncompatibleOptionsException.class)
                .hasMessageContaining("another kind of lock")
                .hasMessageContaining(whom);
        assertThatThrownBy(lock::tryAcquire).hasMessageContaining(whom);
        assertThatThrownBy(lock::queue).hasMessageContaining(whom);
    }

    private static String path() {
        return "/legacy" + zookeeper.chroot() + "/orders";
    }
}
