package io.baton.zookeeper;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Dialect;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.spi.Line;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What Baton and a client of another kind owe each other on one lock. */
@Timeout(120)
abstract class ForeignPeerContract {

    /** How long the sessions of peers live, which are killed. */
    static final Duration TTL = Duration.ofSeconds(4);

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    private final List<AutoCloseable> open = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private ZooKeeper looking;

    abstract Dialect dialect();

    abstract ForeignPeer peer(String path) throws Exception;

    @BeforeEach
    void look() throws Exception {
        var connected = new CountDownLatch(1);
        looking = new ZooKeeper(zookeeper.server().connectString(), 10_000, event -> connected.countDown());
        assertThat(connected.await(30, SECONDS)).isTrue();
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        looking.close();
        threads.shutdownNow();
    }

    @Test
    void acquire_peerHolds_waitsForItsRelease() throws Exception {
        ForeignPeer peer = opened(peer(path()));
        DistributedLock lock = lock();
        peer.acquire();

        assertThat(lock.tryAcquire()).isEmpty();
        CompletableFuture<Hold> waiting = lock.acquireAsync();
        await().until(() -> children().size() == 2);
        assertThat(lock.queue()).hasSize(2);
        assertThat(waiting).isNotDone();
        peer.release();

        try (Hold hold = waiting.get(30, SECONDS)) {
            assertThat(hold.name()).isEqualTo(path());
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
        }
        await().until(() -> children().isEmpty());
    }

    @Test
    void peer_batonHolds_waitsForItsRelease() throws Exception {
        ForeignPeer peer = opened(peer(path()));
        Hold hold = lock().acquire();

        Future<?> waiting = threads.submit(acquiring(peer));
        await().until(() -> children().size() == 2);
        assertThat(waiting).isNotDone();
        hold.close();

        waiting.get(30, SECONDS);
        peer.release();
    }

    @Test
    void acquire_peerDies_isGranted() throws Exception {
        ForeignPeer peer = opened(peer(path()));
        peer.acquire();
        CompletableFuture<Hold> waiting = lock().acquireAsync();
        await().until(() -> children().size() == 2);

        peer.kill();

        waiting.get(30, SECONDS).close();
    }

    @Test
    void peer_batonsSessionExpires_isGrantedAndTheHoldIsLost() throws Exception {
        ForeignPeer peer = opened(peer(path()));
        Hold hold = lock().acquire();
        Future<?> waiting = threads.submit(acquiring(peer));
        await().until(() -> children().size() == 2);

        zookeeper.server().expire(looking.exists(path() + "/" + first(), false).getEphemeralOwner());

        waiting.get(30, SECONDS);
        await().until(() -> hold.state() == HoldState.LOST);
        peer.release();
    }

    @Test
    void lock_severalOfBothKinds_areGrantedOneAtATimeInTheOrderOfTheirEntries() throws Exception {
        int each = 3;
        int rounds = 10;
        var inside = new AtomicInteger();
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < each; i++) {
            ForeignPeer peer = opened(peer(path()));
            DistributedLock lock = lock();
            all.add(threads.submit(repeated(rounds, () -> {
                peer.acquire();
                check(inside, stat -> stat.getEphemeralOwner() == peer.session());
                inside.decrementAndGet();
                peer.release();
                return null;
            })));
            all.add(threads.submit(repeated(rounds, () -> {
                try (Hold hold = lock.acquire()) {
                    check(inside, stat -> stat.getCzxid() == hold.token());
                    inside.decrementAndGet();
                }
                return null;
            })));
        }

        for (Future<?> one : all) {
            one.get(90, SECONDS);
        }

        await().until(() -> children().isEmpty());
    }

    /** Whether an entry is the one that was granted. */
    interface Granted {
        boolean is(Stat first) throws Exception;
    }

    /** Nobody else is inside, and it was the turn of whoever is. */
    private void check(AtomicInteger inside, Granted granted) throws Exception {
        assertThat(inside.incrementAndGet()).isEqualTo(1);
        Stat first = looking.exists(path() + "/" + first(), false);
        assertThat(granted.is(first)).as("first in line is who was granted").isTrue();
    }

    private static Callable<Void> acquiring(ForeignPeer peer) {
        return () -> {
            peer.acquire();
            return null;
        };
    }

    private static Callable<Void> repeated(int times, Callable<Void> round) {
        return () -> {
            for (int i = 0; i < times; i++) {
                round.call();
            }
            return null;
        };
    }

    DistributedLock lock() throws InterruptedException {
        var options = CoordinatorOptions.builder().ttl(Duration.ofSeconds(20)).build();
        Coordinator baton = opened(Coordinator.connect(zookeeper.uri(), options));
        return baton.lockAt(path(), dialect());
    }

    <T extends AutoCloseable> T opened(T one) {
        open.add(0, one);
        return one;
    }

    /** A lock of this test's own, not below the client's root. */
    static String path() {
        return "/legacy" + zookeeper.chroot() + "/orders";
    }

    List<String> children() throws Exception {
        return looking.exists(path(), false) == null ? List.of() : looking.getChildren(path(), false);
    }

    private String first() throws Exception {
        return LineListing.of(Naming.of(Line.at("/x", dialect())), children())
                .entries()
                .get(0)
                .name();
    }
}
