package io.baton.zookeeper;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.testkit.LongRun;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Thousands of waiters in one line: they cost what they must, and a hold beside them does not notice. */
@Timeout(300)
class ManyWaitersIT {

    private static final int WAITERS = LongRun.rounds(1_000, 5_000);
    private static final Duration HALF = CoordinatorOptions.defaults().ttl().dividedBy(2);

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    @Test
    void waiters_joinAndDrainWithABreakBetween_areServedInOrderAndAHoldBesideThemLives() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(zookeeper.server().address());
                Coordinator baton = Coordinator.connect(zookeeper.server().uri(proxy, zookeeper.chroot()));
                QuietHold quiet = new QuietHold(baton)) {
            Hold first = baton.lock("crowd").acquire();
            var tokens = new ConcurrentLinkedQueue<Long>();
            long begun = System.nanoTime();
            List<CompletableFuture<Void>> all = join(baton, WAITERS, tokens);
            await().atMost(120, SECONDS).until(() -> standing() > WAITERS / 2);
            proxy.cut();
            await().atMost(120, SECONDS).until(() -> standing() == WAITERS + 1);
            long joined = System.nanoTime();
            assertThat(quiet.least())
                    .as("of the hold beside, by when all have joined")
                    .isGreaterThan(HALF);

            Map<String, Long> before = zookeeper.server().requests();
            first.close();
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(180, SECONDS);
            Map<String, Long> after = zookeeper.server().requests();

            System.out.printf(
                    "%d waiters joined in %d ms and drained in %d ms; the hold beside was worth %d ms at least%n",
                    WAITERS,
                    (joined - begun) / 1_000_000,
                    (System.nanoTime() - joined) / 1_000_000,
                    quiet.least().toMillis());
            assertThat(List.copyOf(tokens)).hasSize(WAITERS).isSorted();
            assertThat(quiet.worst()).isLessThan(HoldState.LOST);
            assertThat(quiet.least()).isGreaterThan(HALF);
            assertThat(count("getChildren", after) - count("getChildren", before))
                    .as("listings while they hand over to one another")
                    .isLessThan(WAITERS / 50);
        }
    }

    @Test
    void waiters_allGiveUpAtOnce_leaveNothingAndAHoldBesideThemLives() throws Exception {
        try (Coordinator baton = Coordinator.connect(zookeeper.uri());
                QuietHold quiet = new QuietHold(baton)) {
            try (Hold first = baton.lock("crowd").acquire()) {
                List<CompletableFuture<Hold>> all = new ArrayList<>();
                for (int i = 0; i < WAITERS; i++) {
                    all.add(baton.lock("crowd").acquireAsync());
                }
                await().atMost(120, SECONDS).until(() -> standing() > WAITERS / 2);
                all.forEach(waiter -> waiter.cancel(false));
                await().atMost(120, SECONDS).until(() -> standing() == 1);
                assertThat(first.remaining()).isGreaterThan(HALF);
            }
            assertThat(quiet.worst()).isEqualTo(HoldState.HELD);
            assertThat(quiet.least()).isGreaterThan(HALF);
        }
    }

    private static List<CompletableFuture<Void>> join(
            Coordinator baton, int waiters, ConcurrentLinkedQueue<Long> tokens) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            all.add(baton.lock("crowd").acquireAsync().thenAccept(hold -> {
                tokens.add(hold.token());
                var ignored = hold.releaseAsync();
            }));
        }
        return all;
    }

    private static int standing() throws Exception {
        String root = "/" + zookeeper.chroot().replaceFirst("^/", "");
        try (ZooKeeper raw = new ZooKeeper(zookeeper.server().connectString(), 30_000, event -> {})) {
            return raw.exists(root + "/locks/crowd", false).getNumChildren();
        }
    }

    private static long count(String kind, Map<String, Long> requests) {
        return requests.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(kind))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }
}
